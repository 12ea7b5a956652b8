import type { tableRoutes } from "../../../shared/contract/tables.ts";
import { Refusal } from "../../../shared/protocol/errors.ts";
import { parseMeasure } from "../../../shared/protocol/summary.ts";
import type { AppDeps } from "../app-deps.ts";
import type { Handlers } from "../handlers.ts";
import { importHandler } from "./imports.ts";

export function tableHandlers(
  deps: Pick<AppDeps, "auth" | "commands" | "config" | "model">,
): Handlers<typeof tableRoutes> {
  const { commands } = deps;
  return {
    "POST /mutations": ({ identity, body }) => commands.mutate(identity, body),
    "POST /tables/{table}/imports": importHandler(deps),
    "GET /tables/{table}/summary": async ({ identity, params, query: { measure, ...rest } }) => {
      const call = { table: params.table, measure: parseMeasure(measure ?? "count"), ...rest };
      return { rows: await commands.readSummary(identity, call) };
    },
    "GET /changes": async ({ identity, query: { table, after, limit } }) => {
      if (table !== undefined) return commands.readChanges(identity, { table, after, limit });
      if (after !== undefined) {
        const text = "A position is one of a table: say which.";
        throw new Refusal("invalid_request", { at: "table" }, text);
      }
      return commands.readLatestChanges(identity, { limit });
    },
  };
}
