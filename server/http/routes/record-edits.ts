import type { IncomingHttpHeaders } from "node:http";
import { z } from "zod";
import { Refusal } from "../../../shared/protocol/errors.ts";
import {
  nameSchema,
  recordIdSchema,
  recordSchema,
  valuesSchema,
} from "../../../shared/protocol/record.ts";
import type { Identity } from "../../auth/identity.ts";
import type { Op } from "../../commands/op.ts";
import type { AppDeps } from "../app-deps.ts";
import { editHeaders, readIfMatch } from "../edit-conditions.ts";
import { overwriteParam } from "../query-params.ts";
import { type Reply, type Route, route } from "../route.ts";
import { recordAfter, runSingleOp } from "../run-single-op.ts";

/**
 * Editing one record by the usual verbs. Each is a mutation of one op, by the same way as all others;
 * an edit says what it is based on, or says that it goes over whatever is there.
 */

const inTable = z.object({ table: nameSchema });
const oneRecord = z.object({ table: nameSchema, id: recordIdSchema });
const overwriting = z.strictObject({ overwrite: overwriteParam.optional() });
const createBody = z.strictObject({ values: valuesSchema, record: recordIdSchema.optional() });
const patchBody = z.strictObject({ set: valuesSchema, base: valuesSchema.optional() });
const transitionBody = z.strictObject({
  from: z.string().max(500),
  set: valuesSchema.optional(),
  base: valuesSchema.optional(),
  reason: z.string().max(2_000).optional(),
});

const path = "/tables/{table}/records/{id}";

type Deps = Pick<AppDeps, "commands">;

export function recordEditRoutes(deps: Deps): Route[] {
  return [create(deps), patch(deps), remove(deps), restore(deps), transition(deps)];
}

function create(deps: Deps): Route {
  return route(
    {
      method: "post",
      path: "/tables/{table}/records",
      summary: "Create a record.",
      params: inTable,
      headers: editHeaders,
      body: createBody,
      answer: recordSchema,
      status: 201,
    },
    async (identity, { params: { table }, body, request }) => {
      const done = await run(deps, identity, { op: "create", table, ...body }, request.headers);
      const id = encodeURIComponent(done.id);
      const location = `/api/v1/tables/${encodeURIComponent(table)}/records/${id}`;
      return { ...answer(done), status: 201, headers: { ...etag(done), Location: location } };
    },
  );
}

function patch(deps: Deps): Route {
  return route(
    {
      method: "patch",
      path,
      summary: "Edit fields: `base` holds what the author saw in each, or If-Match the version.",
      params: oneRecord,
      query: overwriting,
      headers: editHeaders,
      body: patchBody,
      answer: recordSchema,
    },
    async (identity, { params: { table, id }, query, body, request: { headers } }) => {
      const { ifMatch, any } = readIfMatch(headers);
      const overwrite = any || query.overwrite === true;
      if (!body.base && ifMatch === undefined && !overwrite) throw new Refusal("base_required");
      const op: Op = { op: "update", table, record: id, ...body, ifMatch, overwrite };
      return answer(await run(deps, identity, op, headers));
    },
  );
}

function remove({ commands }: Deps): Route {
  return route(
    {
      method: "delete",
      path,
      summary: "Delete a record: the version that the author saw in If-Match, or ?overwrite=true.",
      params: oneRecord,
      query: overwriting,
      headers: editHeaders,
      status: 204,
    },
    async (identity, { params: { table, id }, query, request: { headers } }) => {
      const { ifMatch: version, any } = readIfMatch(headers);
      const overwrite = any || query.overwrite === true;
      if (version === undefined && !overwrite) throw new Refusal("base_required");
      const op: Op = { op: "delete", table, record: id, version, overwrite };
      await runSingleOp(commands, identity, op, headers);
      return {};
    },
  );
}

function restore(deps: Deps): Route {
  return route(
    {
      method: "post",
      path: `${path}/restore`,
      summary: "Bring a deleted record back.",
      params: oneRecord,
      headers: editHeaders,
      answer: recordSchema,
    },
    async (identity, { params: { table, id }, request }) =>
      answer(await run(deps, identity, { op: "restore", table, record: id }, request.headers)),
  );
}

function transition(deps: Deps): Route {
  return route(
    {
      method: "post",
      path: `${path}/transitions/{name}`,
      summary: "Run a transition; `from` is the state that the author saw.",
      params: oneRecord.extend({ name: nameSchema }),
      headers: editHeaders,
      body: transitionBody,
      answer: recordSchema,
    },
    async (identity, { params: { table, id, name }, body, request }) => {
      const op: Op = { op: "transition", table, record: id, transition: name, ...body };
      return answer(await run(deps, identity, op, request.headers));
    },
  );
}

type Edited = Awaited<ReturnType<typeof run>>;

async function run({ commands }: Deps, identity: Identity, op: Op, headers: IncomingHttpHeaders) {
  const result = await runSingleOp(commands, identity, op, headers);
  return recordAfter(commands, identity, op.table, result);
}

const etag = ({ version }: Edited) => ({ ETag: `"${version}"` });

function answer(record: Edited): Reply {
  return { body: record, headers: etag(record) };
}
