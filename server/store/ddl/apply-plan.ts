import { sql } from "kysely";
import { idOfTable, type Model, type Table } from "../../../shared/model/model.ts";
import { changesShape, mayLose, type PlanStep } from "../../../shared/model/plan-step.ts";
import { claimFeed, installCapture, releaseFeed, renewEpochs } from "../capture.ts";
import { findInterruptions, renewInterrupted } from "../capture-check.ts";
import type { Database, Db } from "../database.ts";
import { identifier, tableRef } from "../identifiers.ts";
import { forgetDroppedTables, recordManagedTable, unmanagedTables } from "../managed-tables.ts";
import { publishedVersion, publishModel, withEarlierTables } from "../models.ts";
import { installStamps } from "../stamps.ts";
import { actAs, execute, hold } from "../statement.ts";
import { largeTables } from "./complete-tables.ts";
import { raiseEntries } from "./entry-numbers.ts";
import type { Sql } from "./field-ddl.ts";
import { foreignTable, measurePlan, touchedTables } from "./measure-plan.ts";
import {
  migrateRoles,
  migrateViews,
  migrateWallboards,
  migrateWebhooks,
} from "./migrate-documents.ts";
import { LOCK_TIMEOUT_MS, patiently } from "./run-patiently.ts";
import { allOf, type Change, statementsOf } from "./step-statements.ts";

export interface ModelChange extends Omit<Change, "unmanaged"> {
  steps: readonly PlanStep[];
  /** The author, as the log names them. */
  by: string;
  /** Throws where the author may not publish any more. */
  authorize?: ((trx: Db) => Promise<void>) | undefined;
  /** The losses were shown and confirmed. */
  lossConfirmed: boolean;
}

/**
 * "moved": the published model is another one than `from`. "loses": an unconfirmed loss. "foreign": a table
 * that Watchfloor did not create is in the way.
 */
export type Applied = "applied" | "moved" | "loses" | "foreign";

/**
 * Publishes a model: its statements, its capture and its document in one transaction. Tables are locked
 * before anything else, so writers have ended and none begins; readers wait only during the change. Throws
 * what Postgres refuses; then nothing has changed.
 */
export async function applyPlan({ kysely }: Database, change: ModelChange): Promise<Applied> {
  const apply = () => kysely.transaction().execute((trx) => applyOnce(trx, change));
  return patiently(apply).catch((error: unknown) => {
    if (error instanceof PlanNotApplied) return error.reason;
    throw error;
  });
}

class PlanNotApplied extends Error {
  readonly reason: Exclude<Applied, "applied">;

  constructor(reason: Exclude<Applied, "applied">) {
    super(reason);
    this.reason = reason;
  }
}

async function applyOnce(trx: Db, plan: ModelChange): Promise<Applied> {
  const { from, to, steps, by } = plan;
  await sql.raw(`set local lock_timeout = '${LOCK_TIMEOUT_MS}ms'`).execute(trx);
  await hold(trx, "model");
  await requireUnchangedModel(trx, from);
  const large = await largeTables(trx, from);
  const change = { ...plan, large, unmanaged: await unmanagedTables(trx, from) };
  const locked = steps.filter((step) => hasStatements(step, change));
  const touched = touchedTables(locked, from).sort();
  for (const name of touched) {
    await execute(trx)`lock table ${identifier(name)} in access exclusive mode`;
  }
  // What bypassed the log until now is not seen any more once the change has recorded its own triggers.
  for (const one of await findInterruptions(trx, touched)) await renewInterrupted(trx, one);
  for (const step of steps) {
    if (await foreignTable(trx, step, change)) throw new PlanNotApplied("foreign");
  }
  if (!change.lossConfirmed && steps.some(mayLose)) {
    const measured = await measurePlan(trx, steps.filter(mayLose), change);
    if (measured.some(({ loses }) => loses)) throw new PlanNotApplied("loses");
  }
  await actAs(trx, by);
  const { removals, changes } = inOrder(steps, change);
  for (const statement of removals) await statement.execute(trx);
  // Emptied values and removed records are logged in the history that ends now.
  await execute(trx)`set constraints watchfloor.number_changes immediate`;
  for (const { kind, table } of steps) if (kind === "removeTable") await releaseFeed(trx, table);
  for (const statement of changes) await statement.execute(trx);
  // Before the epochs begin, which webhooks follow by the name of their table.
  await migrateWebhooks(trx, change);
  await renewCapture(trx, change);
  const names = { from: await withEarlierTables(trx, from), to };
  await migrateRoles(trx, names);
  await migrateWallboards(trx, names);
  await migrateViews(trx, change);
  await plan.authorize?.(trx);
  await publishModel(trx, from, to, by);
  return "applied";
}

async function requireUnchangedModel(trx: Db, from: Model): Promise<void> {
  if ((await publishedVersion(trx)) !== from.version) throw new PlanNotApplied("moved");
}

/** Whether stored records change without an entry in the log. */
function rewritesRecords(step: PlanStep): boolean {
  const isStamped = step.kind === "constrainField" && step.from.recorded !== step.field.recorded;
  return changesShape(step) || isStamped;
}

function hasStatements(step: PlanStep, change: Change): boolean {
  return changesShape(step) || allOf(statementsOf(step, change)).length > 0;
}

/**
 * Links are removed first and created last; two tables that swap names use a temporary name. After the removals the
 * names of removed tables are free.
 */
function inOrder(steps: readonly PlanStep[], change: Change): { removals: Sql[]; changes: Sql[] } {
  const all = steps.map((step) => ({ step, ...statementsOf(step, change) }));
  const renames = steps.filter((step) => step.kind === "renameTable");
  const temporaryName = (index: number) => `watchfloor renames ${index}`;
  const temporaryRenames = renames.flatMap(({ from: name }, index) => {
    const between = temporaryName(index);
    return [
      sql`alter table ${identifier(name)} rename to ${identifier(between)}`,
      sql`update watchfloor.feed set table_name = ${between} where table_name = ${name}`,
    ];
  });
  const finalRenames = renames.flatMap(({ table }, index) => {
    const between = temporaryName(index);
    return [
      sql`alter table ${identifier(between)} rename to ${tableRef(table)}`,
      sql`update watchfloor.feed set table_name = ${table.name} where table_name = ${between}`,
    ];
  });
  const mains = (isIncluded: (step: PlanStep) => boolean) =>
    all.filter(({ step }) => isIncluded(step)).flatMap(({ main }) => main);
  return {
    removals: [
      ...all.flatMap(({ first }) => first),
      ...all.flatMap(({ off }) => off),
      ...mains(({ kind }) => kind === "removeTable"),
    ],
    changes: [
      ...temporaryRenames,
      ...finalRenames,
      ...mains(({ kind }) => kind !== "removeTable" && kind !== "renameTable"),
      ...all.flatMap(({ last }) => last),
    ],
  };
}

/**
 * Updates the log: a new table gets a feed, one whose records are read differently a new epoch, so that
 * nobody replays across the change. No change of the model deletes history; the sweep does, by age.
 */
async function renewCapture(trx: Db, { from, steps }: ModelChange): Promise<void> {
  const tables = (isIncluded: (step: PlanStep) => boolean) =>
    new Map(
      steps.filter(isIncluded).map(({ table }): [string, Table] => [idOfTable(table), table]),
    );
  await forgetDroppedTables(trx);
  for (const table of tables(({ kind }) => kind === "addTable").values()) {
    await recordManagedTable(trx, table.name);
    await claimFeed(trx, table);
    // Records of a table that was removed and is restored return to their places.
    await raiseEntries(trx, table);
    await installCapture(trx, table);
    await installStamps(trx, table);
  }
  const known = new Set(from.tables.map(idOfTable));
  const changesStorage = (step: PlanStep) => changesShape(step) || step.kind === "constrainField";
  for (const [id, table] of tables(changesStorage)) {
    if (known.has(id)) await installStamps(trx, table);
  }
  for (const [id, table] of tables(rewritesRecords)) {
    if (!known.has(id)) continue;
    await installCapture(trx, table);
    const feeds = trx.selectFrom("watchfloor.feed").select("id");
    await renewEpochs(trx, await feeds.where("table_name", "=", table.name).execute());
  }
}
