import type { Json } from "../../shared/filter/filter.ts";
import type { Field, Table, Values } from "../../shared/model/model.ts";
import type { ChangeSetInfo } from "../../shared/protocol/change-sets.ts";
import type { OpResult } from "../../shared/protocol/mutate.ts";
import type { TestUser } from "../harness/test-user.ts";
import { fieldOf, tableOf, teams, withField, withFieldNamed, withTable } from "./crossing-model.ts";
import type { CrossingWorld, Worker } from "./crossing-world.ts";

/** Runs the step; resolves to its note. */
type Step = (world: CrossingWorld) => Promise<string>;

/** One feature each, drawn at random: errors are where two of them meet. */
export const steps: readonly (readonly [number, string, Step])[] = [
  [20, "edit", edit],
  [10, "create", create],
  [5, "delete", remove],
  [5, "restore a record", restore],
  [8, "transition", transition],
  [4, "undo an edit", undo],
  [4, "import", importFile],
  [8, "write with psql", writeOutside],
  [6, "rename a field", renameField],
  [4, "add or remove a field", toggleField],
  [4, "retype a field", retypeField],
  [3, "require a field", requireField],
  [3, "change the workflow", changeWorkflow],
  [4, "rename the table", renameJobs],
  [6, "apply a change set", applySet],
  [4, "revert a change set", revertSet],
  [4, "rename the other table", renameTeams],
  [3, "remove or add the other table", toggleTeams],
  [3, "reorder tables", reorderTables],
  [6, "change a role", changeRole],
  [3, "add a view", addView],
  [3, "lose the connection", loseConnection],
  [2, "kill the server", kill],
  [1, "back up the database", backUp],
  [2, "restore the database", restoreBackup],
];

const anyRecord = ({ random, records }: CrossingWorld) => random.pick(records);
const anyWorker = ({ random, workers }: CrossingWorld) => random.pick(workers);

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

async function edit(world: CrossingWorld): Promise<string> {
  if (world.records.length === 0) return create(world);
  const { random } = world;
  const worker = anyWorker(world);
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

async function create(world: CrossingWorld): Promise<string> {
  const table = await world.jobs();
  const record = `job-${world.records.length}`;
  world.records.push(record);
  const worker = anyWorker(world);
  const [title, size] = [fieldOf(table, "title").name, fieldOf(table, "size").name];
  const values = { [title]: world.unique(), [size]: world.random.below(10) };
  return noteOf(await mutate(world, worker, { op: "create", table: table.name, record, values }));
}

async function remove(world: CrossingWorld): Promise<string> {
  if (world.records.length === 0) return "none";
  const path = `/tables/${(await world.jobs()).name}/records/${anyRecord(world)}`;
  return attempt(world, "DELETE", `${path}?overwrite=true`);
}

async function restore(world: CrossingWorld): Promise<string> {
  const stored = await world.stored();
  const missing = world.records.filter((record) => !stored.has(record));
  if (missing.length === 0) return "none";
  const path = `/tables/${(await world.jobs()).name}/records/${world.random.pick(missing)}/restore`;
  return attempt(world, "POST", path);
}

async function transition(world: CrossingWorld): Promise<string> {
  const stored = await world.stored();
  if (stored.size === 0) return "none";
  const record = world.random.pick([...stored.keys()]);
  const table = await world.jobs();
  const from = stored.get(record)?.state;
  const name = table.workflow?.transitions.find((one) => one.from.includes(String(from)))?.name;
  const op = { op: "transition", table: table.name, record, transition: name, from };
  return noteOf(await mutate(world, anyWorker(world), op));
}

/** Reverts the last logged edit of a title, as an undo does: only if the title still is what it became. */
async function undo(world: CrossingWorld): Promise<string> {
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
  return noteOf(await mutate(world, anyWorker(world), op));
}

async function importFile(world: CrossingWorld): Promise<string> {
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

async function writeOutside(world: CrossingWorld): Promise<string> {
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

/** Changes the table of jobs; a change that the data does not allow is refused. */
async function changeJobs(world: CrossingWorld, change: (table: Table) => Table): Promise<string> {
  const model = await world.model();
  const table = tableOf(model, "jobs");
  if (!table) return "none";
  return world
    .saveModel(() => withTable(model, change(table)))
    .then(
      () => "published",
      (error: Error) => {
        if (!/: 4\d\d /.test(error.message)) throw error;
        return error.message.slice(0, 160);
      },
    );
}

function retypeField(world: CrossingWorld): Promise<string> {
  const [id, types] = world.random.pick([
    ["size", ["integer", "decimal"]],
    ["secret", ["text", "longText"]],
  ] as const);
  const type = world.random.pick<Field["type"]>(types);
  return changeJobs(world, (table) => withField(table, id, { type }));
}

function requireField(world: CrossingWorld): Promise<string> {
  return changeJobs(world, (table) =>
    withField(table, "title", { required: !fieldOf(table, "title").required }),
  );
}

function changeWorkflow(world: CrossingWorld): Promise<string> {
  const skip = { name: "skip", label: "Skip", from: ["New"], to: "Done" };
  return changeJobs(world, (table) => {
    const { states = [], transitions = [] } = table.workflow ?? {};
    const others = transitions.filter(({ name }) => name !== skip.name);
    const isNew = others.length === transitions.length;
    return { ...table, workflow: { states, transitions: isNew ? [skip, ...others] : others } };
  });
}

function renameJobs(world: CrossingWorld): Promise<string> {
  const name = world.random.pick(["jobs", "tasks", "work orders"]);
  return changeJobs(world, (table) => ({ ...table, name }));
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

async function applySet(world: CrossingWorld): Promise<string> {
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
  const { user } = anyWorker(world);
  const { id } = await user.call<ChangeSetInfo>("POST", "/change-sets", { title: "Set", ops });
  return applied(world, user, id);
}

/** Not each set can be reverted: one that has changed nothing, or that a restored database does not hold. */
async function revertSet(world: CrossingWorld): Promise<string> {
  if (world.sets.length === 0) return "none";
  const path = `/change-sets/${world.random.pick(world.sets)}/revert`;
  const draft = await world.ownerUser.call<ChangeSetInfo>("POST", path).catch((error: Error) => {
    if (/: (404|409) /.test(error.message)) return null;
    throw error;
  });
  return draft ? applied(world, world.ownerUser, draft.id) : "refused";
}

async function renameField(world: CrossingWorld): Promise<string> {
  const id = world.random.pick(["title", "size", "secret"]);
  const name = world.random.pick([id, `${id} 2`, `${id} 3`]);
  await world.saveModel((model) => {
    const table = tableOf(model, "jobs");
    return table ? withTable(model, withFieldNamed(table, id, name)) : model;
  });
  return name;
}

async function toggleField(world: CrossingWorld): Promise<string> {
  await world.saveModel((model) => {
    const table = tableOf(model, "jobs");
    if (!table) return model;
    const others = table.fields.filter((field) => field.name !== "extra");
    const extra = { name: "extra", label: "Extra", type: "text" } as const;
    const fields = others.length < table.fields.length ? others : [...others, extra];
    return withTable(model, { ...table, fields });
  });
  return "extra";
}

async function renameTeams(world: CrossingWorld): Promise<string> {
  const name = world.random.pick(["teams", "crews", "squads"]);
  await world.saveModel((model) => {
    const table = model.tables.find(({ label }) => label === teams.label);
    return table ? withTable(model, { ...table, name }) : model;
  });
  return name;
}

async function toggleTeams(world: CrossingWorld): Promise<string> {
  await world.saveModel((model) => {
    const others = model.tables.filter(({ label }) => label !== teams.label);
    const { id: _, ...fresh } = teams;
    return { ...model, tables: others.length < model.tables.length ? others : [...others, fresh] };
  });
  return "teams";
}

async function reorderTables(world: CrossingWorld): Promise<string> {
  await world.saveModel((model) => ({ ...model, tables: model.tables.toReversed() }));
  return "reversed";
}

async function changeRole(world: CrossingWorld): Promise<string> {
  const { random } = world;
  const worker = anyWorker(world);
  await world.grant(worker, {
    sizeUpTo: random.next() < 0.5 ? null : random.below(10),
    hidesSecret: random.next() < 0.5,
    history: random.next() < 0.5,
    mayUpdate: random.next() < 0.7,
  });
  return JSON.stringify(worker.grant);
}

async function addView(world: CrossingWorld): Promise<string> {
  const table = await world.jobs();
  const filter = { field: fieldOf(table, "size").name, op: "gt", value: world.random.below(10) };
  const call = { table: table.name, name: world.unique(), shared: true, filter };
  return attempt(world, "POST", "/views", call);
}

async function loseConnection(world: CrossingWorld): Promise<string> {
  await world.reconnect(anyWorker(world));
  return "reconnected";
}

async function kill(world: CrossingWorld): Promise<string> {
  await world.restart();
  return "started again";
}

async function backUp(world: CrossingWorld): Promise<string> {
  await world.backUp();
  return "backed up";
}

async function restoreBackup(world: CrossingWorld): Promise<string> {
  return (await world.restoreBackup()) ? "restored" : "no backup";
}

async function attempt(
  { ownerUser }: CrossingWorld,
  method: string,
  path: string,
  body?: object,
): Promise<string> {
  const refused = await ownerUser.call(method, path, body).then(
    () => null,
    (error: Error) => error,
  );
  if (refused && / 500 /.test(refused.message)) throw refused;
  return refused ? refused.message.slice(0, 120) : "done";
}
