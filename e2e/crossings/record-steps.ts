import type { Json } from "../../shared/filter/filter.ts";
import type { Values } from "../../shared/model/model.ts";
import type { ChangeSetInfo } from "../../shared/protocol/change-sets.ts";
import type { OpResult } from "../../shared/protocol/mutate.ts";
import type { TestUser } from "../harness/test-user.ts";
import { fieldOf } from "./crossing-model.ts";
import type { CrossingWorld, Worker } from "./crossing-world.ts";

/** Steps that write records: by REST, by files, by change sets and by other programs. */

const anyRecord = ({ random, records }: CrossingWorld) => random.pick(records);

/**
 * A mutation by a worker. Throws if an acknowledged change is not in the log exactly once; an edit to the
 * stored value is not a change.
 */
async function mutate(world: CrossingWorld, worker: Worker, op: SomeOp): Promise<OpResult> {
  const before = (await world.stored()).get(op.record ?? "");
  const call = { id: crypto.randomUUID(), ops: [op] };
  const { results } = await worker.user.call<{ results: OpResult[] }>("POST", "/mutations", call);
  const [result] = results as [OpResult];
  const { rows } = await world.program.query(
    "select count(*)::int as count from watchfloor.change where mutation = $1",
    [call.id],
  );
  const isChange = Object.values(op.set ?? {}).some((value) => !holds(before, value));
  const isUpdate = op.op === "update";
  if (isUpdate && !worker.grant.mayUpdate && result.ok) {
    throw new Error(`${JSON.stringify(op)} is applied for a worker who may not update`);
  }
  const due = result.ok && (!isUpdate || isChange) ? 1 : 0;
  if (rows[0]?.count !== due) {
    throw new Error(
      `${JSON.stringify([op, result])} is logged ${rows[0]?.count} times, not ${due}`,
    );
  }
  return result;
}

interface SomeOp {
  table: string;
  [key: string]: unknown;
  op: string;
  record?: string;
  set?: Values;
}

/** Texts are unique and sizes are the only numbers, so a value identifies its field. */
function holds(values: Values | undefined, value: Json): boolean {
  return values !== undefined && Object.values(values).includes(value);
}

const noteOf = (result: OpResult) => (result.ok ? "done" : result.error.code);

export async function edit(world: CrossingWorld): Promise<string> {
  if (world.records.length === 0) return create(world);
  const { random } = world;
  const worker = world.anyWorker();
  const record = anyRecord(world);
  const table = await world.jobs();
  const id = random.pick(["title", "size", "secret"]);
  const { name } = fieldOf(table, id);
  const value: Json = id === "size" ? random.below(10) : world.unique();
  const base = worker.followed.records.get(record)?.[name] ?? null;
  const op = {
    op: "update",
    table: table.name,
    record,
    set: { [name]: value },
    base: { [name]: base },
  };
  return noteOf(await mutate(world, worker, op));
}

export async function create(world: CrossingWorld): Promise<string> {
  const table = await world.jobs();
  const record = `job-${world.records.length}`;
  world.records.push(record);
  const worker = world.anyWorker();
  const [title, size] = [fieldOf(table, "title").name, fieldOf(table, "size").name];
  const values = { [title]: world.unique(), [size]: world.random.below(10) };
  return noteOf(await mutate(world, worker, { op: "create", table: table.name, record, values }));
}

export async function remove(world: CrossingWorld): Promise<string> {
  if (world.records.length === 0) return "none";
  const path = `/tables/${(await world.jobs()).name}/records/${anyRecord(world)}`;
  return world.attempt("DELETE", `${path}?overwrite=true`);
}

export async function restore(world: CrossingWorld): Promise<string> {
  const stored = await world.stored();
  const missing = world.records.filter((record) => !stored.has(record));
  if (missing.length === 0) return "none";
  const path = `/tables/${(await world.jobs()).name}/records/${world.random.pick(missing)}/restore`;
  return world.attempt("POST", path);
}

export async function transition(world: CrossingWorld): Promise<string> {
  const stored = await world.stored();
  if (stored.size === 0) return "none";
  const record = world.random.pick([...stored.keys()]);
  const table = await world.jobs();
  const from = stored.get(record)?.state;
  const name = table.workflow?.transitions.find((one) => one.from.includes(String(from)))?.name;
  const op = { op: "transition", table: table.name, record, transition: name, from };
  return noteOf(await mutate(world, world.anyWorker(), op));
}

/** Reverts the last logged edit of a title, as an undo does: only if the title still is what it became. */
export async function undo(world: CrossingWorld): Promise<string> {
  if (world.records.length === 0) return "none";
  const table = await world.jobs();
  const { name } = fieldOf(table, "title");
  const record = anyRecord(world);
  const path = `/tables/${table.name}/records/${record}/history?limit=50`;
  const history = await world.ownerUser
    .call<{ items: { before?: Record<string, Json> | null; after?: Record<string, Json> }[] }>(
      "GET",
      path,
    )
    .catch(() => null);
  const item = history?.items.find(({ before, after }) => before && after && name in before);
  if (!item) return "none";
  const [set, base] = [item.before?.[name] ?? null, item.after?.[name] ?? null];
  const op = {
    op: "update",
    table: table.name,
    record,
    set: { [name]: set },
    base: { [name]: base },
  };
  return noteOf(await mutate(world, world.anyWorker(), op));
}

export async function importFile(world: CrossingWorld): Promise<string> {
  const table = await world.jobs();
  const title = fieldOf(table, "title").name;
  const file = `id,${title}\nimported-${world.records.length},${world.unique()}\n`;
  world.records.push(`imported-${world.records.length}`);
  const answer = await fetch(
    `${world.server.url}/api/v1/tables/${encodeURIComponent(table.name)}/imports?id=id`,
    {
      method: "POST",
      headers: { authorization: `Bearer ${world.ownerUser.token}`, "content-type": "text/csv" },
      body: file,
    },
  );
  return String(answer.status);
}

export async function writeOutside(world: CrossingWorld): Promise<string> {
  const table = await world.jobs();
  const { name, column = name } = fieldOf(table, world.random.pick(["title", "secret"]));
  if (world.random.next() < 0.3) {
    const text = `delete from "${table.name}" where id in (select id from "${table.name}" limit 1)`;
    await world.program.query(text);
    return "deleted";
  }
  await world.program.query(`update "${table.name}" set "${column}" = $1`, [world.unique()]);
  return "all updated";
}

/** Throws unless the log holds each applied op of a set once. */
async function applied(
  { program, sets }: CrossingWorld,
  { call }: TestUser,
  id: string,
): Promise<string> {
  await call("POST", `/change-sets/${id}/apply`, { atomic: false });
  const { rows } = await program.query(
    `select o.status, count(*)::int as count,
       (select count(*)::int from watchfloor.change where change_set = $1) as logged
     from watchfloor.change_set_op o where o.change_set = $1 group by o.status`,
    [id],
  );
  const done = rows.find(({ status }) => status === "applied")?.count ?? 0;
  const logged = rows[0]?.logged ?? 0;
  if (logged !== done) throw new Error(`${JSON.stringify(rows)}: ${logged} changes are logged`);
  sets.push(id);
  return JSON.stringify(rows);
}

export async function applySet(world: CrossingWorld): Promise<string> {
  const { random } = world;
  const table = await world.jobs();
  const [title, size] = [fieldOf(table, "title").name, fieldOf(table, "size").name];
  const stored = await world.stored();
  const of = { table: table.name };
  const ops: object[] = [];
  for (const record of new Set([1, 2, 3].map(() => random.pick([...stored.keys(), ""])))) {
    const base = { [title]: stored.get(record)?.title ?? null };
    if (record === "") {
      const made = `set-${world.records.length}`;
      world.records.push(made);
      const values = { [title]: world.unique(), [size]: random.below(10) };
      ops.push({ ...of, op: "create", record: made, values });
    } else if (random.next() < 0.2) {
      const { version } = await world.ownerUser.record(table.name, record);
      ops.push({ ...of, op: "delete", record, version });
    } else ops.push({ ...of, op: "update", record, set: { [title]: world.unique() }, base });
  }
  const { user } = world.anyWorker();
  const { id } = await user.call<ChangeSetInfo>("POST", "/change-sets", { title: "Set", ops });
  return applied(world, user, id);
}

/** Not each set can be reverted: one that has changed nothing, or that a restored database does not hold. */
export async function revertSet(world: CrossingWorld): Promise<string> {
  if (world.sets.length === 0) return "none";
  const path = `/change-sets/${world.random.pick(world.sets)}/revert`;
  const draft = await world.ownerUser.call<ChangeSetInfo>("POST", path).catch((error: Error) => {
    if (/: (404|409) /.test(error.message)) return null;
    throw error;
  });
  return draft ? applied(world, world.ownerUser, draft.id) : "refused";
}
