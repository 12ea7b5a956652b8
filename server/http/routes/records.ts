import type { recordRoutes } from "../../../shared/protocol/records.ts";
import type { AppDeps } from "../app-deps.ts";
import { type Handlers, listed, Reply } from "../handlers.ts";

type ExportRoute = `GET /tables/{table}/export.${"csv" | "jsonl"}`;

/** Rights, scopes and refusals are handled by the commands. */
export function recordHandlers({
  commands,
}: AppDeps): Omit<Handlers<typeof recordRoutes>, ExportRoute> {
  return {
    "GET /tables/{table}/records": ({ identity, params, query }) =>
      commands.answerPage(identity, { ...query, table: params.table }),
    "GET /tables/{table}/records/{id}": async ({ identity, params }) => {
      const record = await commands.readRecord(identity, params.table, params.id);
      return new Reply(record, { headers: { ETag: `"${record.version}"` } });
    },
    "GET /tables/{table}/records/{id}/history": async ({ identity, params, query }) =>
      listed(await commands.readHistory(identity, params.table, params.id, query)),
  };
}
