import type { WireOp } from "../../shared/protocol/mutate.ts";
import { type ApiSession, acceptInvitation, addUser } from "../load/api-session.ts";
import { inParallel } from "../load/in-parallel.ts";
import type { LogRow } from "./incident-log.ts";

/** Everything that must exist before the first update, and the writers. */
export interface PreparedReplay {
  /** By the author's name in the log: their user here, and their session. */
  authors: Map<string, { id: string; token: string }>;
  /** The log with users' names in `person` fields replaced by their ids. */
  log: LogRow[];
}

const LANES = 8;
const OPS_MAX = 500;

/**
 * The log's own states are history, not transitions to be authorised: a table with a workflow is replayed
 * without it.
 */
export async function withoutWorkflow(owner: ApiSession): Promise<ApiSession> {
  if (!owner.model.tables.some(({ workflow }) => workflow)) return owner;
  const tables = owner.model.tables.map(({ workflow: _workflow, ...table }) => table);
  await owner.call("PUT /model", { body: { ...owner.model, tables } });
  return { ...owner, model: await owner.call("GET /model") };
}

/** Creates groups, callers, assignees and authors through the API, and signs the authors in. */
export async function prepareReplay(
  owner: ApiSession,
  log: readonly LogRow[],
): Promise<PreparedReplay> {
  const distinct = (field: string) => [
    ...new Set(log.map(({ values }) => values[field]).filter((value) => typeof value === "string")),
  ];
  await create(owner, "groups", distinct("group"));
  await create(owner, "people", distinct("caller"));
  const mark = Math.random().toString(36).slice(2, 8);
  const add = (name: string) => {
    const email = `${name.toLowerCase().replace(/\W+/g, ".")}.${mark}@example.com`;
    return addUser(owner, { name, email });
  };
  const names = distinct("assignee");
  const added = await inParallel(names, LANES, add);
  const assignees = new Map(names.map((name, index) => [name, added[index]?.id ?? null]));
  const writers = [...new Set(log.map(({ author }) => author))];
  const authors = await inParallel(writers, LANES, async (name) => {
    const { id, invitation } = await add(name);
    return { id, token: await acceptInvitation(owner.url, invitation, `password of ${name}`) };
  });
  const withIds = log.map((row) => {
    const assignee = assignees.get(String(row.values.assignee)) ?? null;
    return { ...row, values: { ...row.values, assignee } };
  });
  return {
    authors: new Map(writers.map((name, i) => [name, authors[i] as (typeof authors)[0]])),
    log: withIds,
  };
}

async function create(owner: ApiSession, table: string, names: readonly string[]): Promise<void> {
  for (let from = 0; from < names.length; from += OPS_MAX) {
    const ops: WireOp[] = names
      .slice(from, from + OPS_MAX)
      .map((name) => ({ op: "create", table, record: name, values: { name } }));
    const id = `prepare-${table}-${from}`;
    const { results } = await owner.call("POST /mutations", { body: { id, ops } });
    const failed = results.find((result) => !result.ok && result.error.code !== "duplicate");
    if (failed) throw new Error(`${table} could not be prepared: ${JSON.stringify(failed)}`);
  }
}
