import type { IncomingHttpHeaders } from "node:http";
import { requestOf } from "../../../shared/protocol/call.ts";
import { Refusal } from "../../../shared/protocol/errors.ts";
import type { WireRecord } from "../../../shared/protocol/record.ts";
import type { recordEditRoutes } from "../../../shared/protocol/records.ts";
import type { Identity } from "../../auth/identity.ts";
import type { Op } from "../../commands/op.ts";
import type { AppDeps } from "../app-deps.ts";
import { readIfMatch } from "../edit-conditions.ts";
import { type Handlers, Reply } from "../handlers.ts";
import { recordAfter, runSingleOp } from "../run-single-op.ts";

/** Each edit is a mutation of one op, on the same path as all others. */
export function recordEditHandlers(deps: AppDeps): Handlers<typeof recordEditRoutes> {
  return {
    "POST /tables/{table}/records": async ({ identity, params, body, request }) => {
      const op: Op = { op: "create", table: params.table, ...body };
      const record = await run(deps, identity, op, request.headers);
      const { path } = requestOf("GET /tables/{table}/records/{id}", {
        params: { table: params.table, id: record.id },
      });
      return answer(record, { Location: `/api/v1${path}` });
    },
    "PATCH /tables/{table}/records/{id}": async ({ identity, params, query, body, request }) => {
      const { table, id: record } = params;
      const { ifMatch, any } = readIfMatch(request.headers);
      const overwrite = any || query.overwrite === true;
      if (!body.base && ifMatch === undefined && !overwrite) throw new Refusal("base_required");
      const op: Op = { op: "update", table, record, ...body, ifMatch, overwrite };
      return answer(await run(deps, identity, op, request.headers));
    },
    "DELETE /tables/{table}/records/{id}": async ({ identity, params, query, request }) => {
      const { table, id: record } = params;
      const { ifMatch: version, any } = readIfMatch(request.headers);
      const overwrite = any || query.overwrite === true;
      if (version === undefined && !overwrite) throw new Refusal("base_required");
      const op: Op = { op: "delete", table, record, version, overwrite };
      await runSingleOp(deps.commands, identity, op, request.headers);
    },
    "POST /tables/{table}/records/{id}/restore": async ({ identity, params, request }) => {
      const { ifMatch: version } = readIfMatch(request.headers);
      const op: Op = { op: "restore", table: params.table, record: params.id, version };
      return answer(await run(deps, identity, op, request.headers));
    },
    "POST /tables/{table}/records/{id}/transitions/{name}": async (call) => {
      const { table, id: record, name: transition } = call.params;
      const op: Op = { op: "transition", table, record, transition, ...call.body };
      return answer(await run(deps, call.identity, op, call.request.headers));
    },
  };
}

async function run(
  { commands }: AppDeps,
  identity: Identity,
  op: Op,
  headers: IncomingHttpHeaders,
) {
  const result = await runSingleOp(commands, identity, op, headers);
  return recordAfter(commands, identity, op.table, result);
}

function answer(record: WireRecord, headers: Record<string, string> = {}): Reply<WireRecord> {
  return new Reply(record, { headers: { ETag: `"${record.version}"`, ...headers } });
}
