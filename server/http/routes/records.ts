import { formatVersion } from "../../../shared/protocol/position.ts";
import type { recordRoutes } from "../../../shared/protocol/records.ts";
import { positionOfCursor } from "../../commands/record-cursor.ts";
import type { AppDeps } from "../app-deps.ts";
import { type Handlers, listed, Reply } from "../handlers.ts";

/** The position behind which the log has what has changed since the first page was read. */
const POSITION_HEADER = "Watchfloor-Position";

type ExportRoute = `GET /tables/{table}/export.${"csv" | "jsonl"}`;

/** Rights, scopes and refusals are handled by the commands. */
export function recordHandlers({
  commands,
}: AppDeps): Omit<Handlers<typeof recordRoutes>, ExportRoute> {
  return {
    "GET /tables/{table}/records": async ({ identity, params, query }) => {
      const page = await commands.answerPage(identity, { ...query, table: params.table });
      if (query.cursor === undefined) return page;
      const position = positionOfCursor(query.cursor);
      const headers = { [POSITION_HEADER]: position ?? formatVersion(page.epoch, page.seq) };
      return new Reply(page, { headers });
    },
    "GET /tables/{table}/records/{id}": async ({ identity, params, query }) => {
      const record = await commands.answerRecord(identity, params.table, params.id, query);
      return new Reply(record, { headers: { ETag: `"${record.version}"` } });
    },
    "GET /tables/{table}/records/{id}/history": async ({ identity, params, query }) =>
      listed(await commands.readHistory(identity, params.table, params.id, query)),
  };
}
