import { setTimeout as sleep } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import { idOfTable, type Model, type Table } from "../../../shared/model/model.ts";
import { changesShape, mayLose, type PlanStep } from "../../../shared/model/plan-step.ts";
import { installCapture } from "../capture.ts";
import type { Database } from "../database.ts";
import { standingVersion } from "../models.ts";
import { installStamps, removeStamps } from "../stamps.ts";
import type { Sql } from "./field-ddl.ts";
import { measurePlan, touchedTables } from "./measure-plan.ts";
import { settleBoards } from "./settle-boards.ts";
import { settleRoles } from "./settle-roles.ts";
import { settleViews } from "./settle-views.ts";
import { allOf, type Change, statementsOf } from "./step-statements.ts";

export interface ModelChange extends Change {
  steps: readonly PlanStep[];
  /** The author, as the log names them. */
  by: string;
  /** What is lost was told and agreed to. */
  lossConfirmed: boolean;
}

/** "moved": the model in force is another one than `from`. "loses": something would be lost that nobody agreed to. */
export type Applied = "applied" | "moved" | "loses";

/** Whoever waits for our lock waits behind us: so we give up soon, let them through, and try again. */
const LOCK_TIMEOUT_MS = 400;
const ATTEMPTS = 40;
const PAUSE_MS = 150;
/** Lock not available, deadlock, serialisation failure. */
const busyCodes = new Set(["55P03", "40P01", "40001"]);

/**
 * Puts a model in force: its statements, its capture and its document in one transaction. Tables are
 * locked before anything else, so writers have ended and none begins; readers wait for the moment of
 * the change only. Throws what Postgres refuses; then nothing has changed.
 */
export async function applyPlan({ kysely }: Database, change: ModelChange): Promise<Applied> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await kysely.transaction().execute((trx) => applyOnce(trx, change));
    } catch (error) {
      if (error instanceof LeftAsItWas) return error.reason;
      const isBusy = busyCodes.has((error as { code?: string }).code ?? "");
      if (!isBusy || attempt >= ATTEMPTS) throw error;
      await sleep(PAUSE_MS * (0.5 + Math.random()));
    }
  }
}

class LeftAsItWas extends Error {
  readonly reason: "moved" | "loses";

  constructor(reason: "moved" | "loses") {
    super(reason);
    this.reason = reason;
  }
}

async function applyOnce(trx: Kysely<unknown>, change: ModelChange): Promise<Applied> {
  const { from, to, steps, by } = change;
  await sql.raw(`set local lock_timeout = '${LOCK_TIMEOUT_MS}ms'`).execute(trx);
  await sql`select pg_advisory_xact_lock(hashtext('watchfloor.model'))`.execute(trx);
  await requireStanding(trx, from);
  const locked = steps.filter((step) => hasStatements(step, change));
  for (const name of touchedTables(locked, from).sort()) {
    await sql`lock table ${sql.id(name)} in access exclusive mode`.execute(trx);
  }
  if (!change.lossConfirmed && steps.some(mayLose)) {
    const measured = await measurePlan(trx, steps.filter(mayLose), change);
    if (measured.some(({ loses }) => loses)) throw new LeftAsItWas("loses");
  }
  await sql`select set_config('watchfloor.actor', ${by}, true)`.execute(trx);
  for (const statement of inOrder(steps, change)) await statement.execute(trx);
  // What was emptied gets its place in the history that ends now.
  await sql`set constraints watchfloor.number_changes immediate`.execute(trx);
  await renewCapture(trx, change);
  await settleRoles(trx, change);
  await settleBoards(trx, change);
  await settleViews(trx, change);
  await sql`insert into watchfloor.model (version, document, by)
    values (${to.version}, ${JSON.stringify(to)}::jsonb, ${by})`.execute(trx);
  return "applied";
}

async function requireStanding(trx: Kysely<unknown>, from: Model): Promise<void> {
  if ((await standingVersion(trx)) !== from.version) throw new LeftAsItWas("moved");
}

function hasStatements(step: PlanStep, change: Change): boolean {
  return changesShape(step) || allOf(statementsOf(step, change)).length > 0;
}

/** Links are let go first and made last; two tables that swap names meet under a third. */
function inOrder(steps: readonly PlanStep[], change: Change): Sql[] {
  const all = steps.map((step) => ({ step, ...statementsOf(step, change) }));
  const renames = steps.filter((step) => step.kind === "renameTable");
  const aside = (index: number) => `watchfloor renames ${index}`;
  const asideRenames = renames.flatMap(({ from: name }, index) => {
    const between = aside(index);
    return [
      sql`alter table ${sql.id(name)} rename to ${sql.id(between)}`,
      sql`update watchfloor.feed set table_name = ${between} where table_name = ${name}`,
    ];
  });
  const settledRenames = renames.flatMap(({ table }, index) => {
    const between = aside(index);
    return [
      sql`alter table ${sql.id(between)} rename to ${sql.id(table.name)}`,
      sql`update watchfloor.feed set table_name = ${table.name} where table_name = ${between}`,
    ];
  });
  const mains = (isWanted: (step: PlanStep) => boolean) =>
    all.filter(({ step }) => isWanted(step)).flatMap(({ main }) => main);
  return [
    ...all.flatMap(({ first }) => first),
    ...all.flatMap(({ off }) => off),
    ...mains(({ kind }) => kind === "removeTable"),
    ...asideRenames,
    ...settledRenames,
    ...mains(({ kind }) => kind !== "removeTable" && kind !== "renameTable"),
    ...all.flatMap(({ last }) => last),
  ];
}

/** The log follows: new tables get a feed, changed ones a new history, removed ones lose theirs. */
async function renewCapture(trx: Kysely<unknown>, { from, steps }: ModelChange): Promise<void> {
  const tables = (isWanted: (step: PlanStep) => boolean) =>
    new Map(steps.filter(isWanted).map(({ table }): [string, Table] => [idOfTable(table), table]));
  for (const table of tables(({ kind }) => kind === "removeTable").values()) {
    await removeFeed(trx, table);
  }
  for (const table of tables(({ kind }) => kind === "addTable").values()) {
    await installCapture(trx, table);
    await installStamps(trx, table);
  }
  const known = new Set(from.tables.map(idOfTable));
  const keepsOtherwise = (step: PlanStep) => changesShape(step) || step.kind === "constrainField";
  for (const [id, table] of tables(keepsOtherwise)) {
    if (known.has(id)) await installStamps(trx, table);
  }
  for (const [id, table] of tables(changesShape)) {
    if (!known.has(id)) continue;
    await installCapture(trx, table);
    await sql`update watchfloor.feed
      set epoch = replace(gen_random_uuid()::text, '-', ''), floor = head
      where table_name = ${table.name}`.execute(trx);
    await sql`select pg_notify('watchfloor_feed', ${table.name})`.execute(trx);
  }
}

async function removeFeed(trx: Kysely<unknown>, table: Table): Promise<void> {
  const gone = await sql<{ id: number }>`
    delete from watchfloor.feed where table_name = ${table.name} returning id`.execute(trx);
  for (const { id } of gone.rows) {
    await sql`drop function if exists watchfloor.${sql.id(`capture_${id}`)}()`.execute(trx);
    await removeStamps(trx, id);
  }
}
