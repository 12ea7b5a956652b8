import type { IncomingHttpHeaders } from "node:http";
import { englishOnly } from "../../../shared/error-texts/explain.ts";
import { kindOfType } from "../../../shared/model/field-types.ts";
import { type Field, findField, findTable, type Values } from "../../../shared/model/model.ts";
import { normalizeValue, storedText } from "../../../shared/model/normalize-value.ts";
import { sameValue } from "../../../shared/model/same-value.ts";
import { requestOf } from "../../../shared/protocol/call.ts";
import { Refusal } from "../../../shared/protocol/errors.ts";
import type { WireRecord } from "../../../shared/protocol/record.ts";
import type { recordEditRoutes } from "../../../shared/protocol/records.ts";
import type { Identity } from "../../auth/identity.ts";
import { keyIsTaken } from "../../commands/check-values.ts";
import type { Op } from "../../commands/op.ts";
import { matchingRecords } from "../../import/matching-records.ts";
import { readableTable, requireKnownFields } from "../../policy/authorize.ts";
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
      return answer(record, { Location: addressOf(params.table, record) });
    },
    "PUT /tables/{table}/records": ({ identity, params, query, body }) =>
      putByKey(deps, identity, { table: params.table, key: query.key, values: body.values }),
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

/** How often a record is looked up again that somebody else created or changed between the look and the edit. */
const KEY_ATTEMPTS = 3;

interface KeyedCall {
  table: string;
  key: string;
  values: Values;
}

/** Creates or edits, by the same two ops as a row of an imported file with a key: each is refused if the record is another one by then. */
async function putByKey(
  deps: AppDeps,
  identity: Identity,
  call: KeyedCall,
): Promise<Reply<WireRecord>> {
  for (let attempt = 1; ; attempt += 1) {
    const found = await recordOfKey(deps, identity, call);
    const isLost = (error: unknown) =>
      error instanceof Refusal && error.code === (found ? "conflict" : "duplicate");
    try {
      return await writeByKey(deps, identity, call, found);
    } catch (error) {
      if (attempt === KEY_ATTEMPTS || !isLost(error)) throw error;
    }
  }
}

async function writeByKey(
  deps: AppDeps,
  identity: Identity,
  { table, key, values }: KeyedCall,
  found: WireRecord | null,
): Promise<Reply<WireRecord>> {
  if (!found) {
    const record = await run(deps, identity, { op: "create", table, key, values }, {});
    const created = answer(record, { Location: addressOf(table, record) });
    return new Reply(record, { ...created.extras, status: 201 });
  }
  const fields = findTable(deps.model(), table)?.fields ?? [];
  const changed = fields.filter(({ name, type }) => {
    const kind = kindOfType[type];
    return name in values && !sameValue(kind, found.values[name] ?? null, values[name] ?? null);
  });
  const named = (source: Values) =>
    Object.fromEntries(changed.map(({ name }) => [name, source[name] ?? null]));
  if (changed.length === 0) return answer(found);
  const base = { ...named(found.values), [key]: found.values[key] ?? null };
  const op: Op = { op: "update", table, record: found.id, key, set: named(values), base };
  return answer(await run(deps, identity, op, {}));
}

/** The one record of that value that the caller may read; null if there is none. */
async function recordOfKey(
  { commands, model }: AppDeps,
  identity: Identity,
  { table: name, key, values }: KeyedCall,
): Promise<WireRecord | null> {
  const { table, scope } = readableTable(identity.subject, model(), name);
  requireKnownFields(scope, [key, ...Object.keys(values)]);
  const field = findField(table, key) as Field;
  const normal = normalizeValue(field, values[key] ?? null);
  if (!normal.ok) throw new Refusal("validation_failed", { fields: { [key]: normal.problem } });
  if (normal.value === null) {
    const explanation = englishOnly(`"${key}" identifies the record and can't be empty.`);
    throw new Refusal("invalid_request", { in: "body", fields: [key] }, explanation);
  }
  const byText = await matchingRecords(commands, identity, {
    ...{ table: name, field: key, values: [normal.value], limit: 2 },
    fields: [...new Set([key, ...Object.keys(values)])],
    textOf: (record) => String(record.values[key] ?? null),
    asKey: (text) => storedText(field, text),
  });
  const [record = null, another] = [...byText.values()].flat();
  if (another) throw keyIsTaken(table, field);
  return record && commands.readRecord(identity, name, record.id);
}

const addressOf = (table: string, { id }: WireRecord): string =>
  `/api/v1${requestOf("GET /tables/{table}/records/{id}", { params: { table, id } }).path}`;

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
