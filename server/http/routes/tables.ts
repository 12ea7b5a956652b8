import { parseMeasures } from "../../../shared/protocol/summary.ts";
import type { tableRoutes } from "../../../shared/protocol/tables.ts";
import { originOf } from "../../commands/op.ts";
import { tableMissing } from "../../commands/read-activity.ts";
import type { AppDeps } from "../app-deps.ts";
import type { Handlers } from "../handlers.ts";

/** `after` before the oldest change that the log holds. */
const LOG_START = "start";

export function tableHandlers({
  commands,
}: AppDeps): Pick<
  Handlers<typeof tableRoutes>,
  "POST /mutations" | "GET /tables/{table}/summary" | "GET /changes"
> {
  return {
    "POST /mutations": ({ identity, body }) =>
      commands.mutate(identity, { ...body, origin: originOf(identity, body.origin, "api") }),
    "GET /tables/{table}/summary": ({ identity, params, query: { measure = "count", ...rest } }) =>
      commands.readSummary(identity, {
        table: params.table,
        measures: parseMeasures(measure),
        ...rest,
      }),
    "GET /changes": async ({ identity, query: { after, ...call } }) => {
      if (after === undefined) return commands.readActivity(identity, call);
      const { table, limit } = call;
      if (table === undefined) throw tableMissing("table", "position");
      const start = after === LOG_START ? undefined : after;
      return commands.readChanges(identity, { table, after: start, limit });
    },
  };
}
