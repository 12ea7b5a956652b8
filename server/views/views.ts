import { randomUUID } from "node:crypto";
import { findConflicts } from "../../shared/document/merge.ts";
import { type Explanation, explain } from "../../shared/error-texts/explain.ts";
import type { Json } from "../../shared/filter/filter.ts";
import { findTable, type Model, type Table, zoneOf } from "../../shared/model/model.ts";
import { utf8Length } from "../../shared/model/utf8-length.ts";
import { type Appearance, withHiddenRules } from "../../shared/model/view/appearance.ts";
import {
  checkViewSettings,
  MOVED_MAX_RECORDS,
  type ViewColumn,
  type ViewDocument,
  type ViewSettings,
} from "../../shared/model/view/view.ts";
import { viewToTree } from "../../shared/model/view/view-tree.ts";
import { mayOwnViews } from "../../shared/policy/role.ts";
import type { Subject } from "../../shared/policy/scope.ts";
import { found, Refusal } from "../../shared/protocol/errors.ts";
import type {
  CreateViewCall,
  MoveRecordsCall,
  PatchViewCall,
  ViewInfo,
} from "../../shared/protocol/views.ts";
import { requireRight } from "../auth/require-right.ts";
import { wholeFilter } from "../commands/read-page.ts";
import { readableTable } from "../policy/authorize.ts";
import { refuseConflicts } from "../policy/refuse-conflicts.ts";
import { requireStorable } from "../policy/require-storable.ts";
import { visibleModel } from "../policy/visible-model.ts";
import { documentOf, toVisibleView, type VisibleView } from "../policy/visible-view.ts";
import type { Db } from "../store/database.ts";
import { type Context, readByModel, writeByModel } from "../store/published-model.ts";
import { holdActive } from "../store/users/users.ts";
import {
  copyRanks,
  countMatches,
  countNamed,
  countRanks,
  deleteRanks,
  markMoved,
  moveRecords,
} from "../store/views/record-ranks.ts";
import {
  countViews,
  findView,
  holdViews,
  insertView,
  listViews,
  markViewRemoved,
  updateView,
  type ViewRow,
} from "../store/views/views.ts";

/** Size of a stored view, as JSON. */
const VIEW_MAX_BYTES = 65_536;

/**
 * The commands on views, each authorised by the caller's rights. Users who work in a table have personal
 * views of it; the right `sharedViews` shares them and changes shared ones.
 */

export function allViews(context: Context, me: Subject, table?: string): Promise<ViewInfo[]> {
  return readByModel(context, async (model) => {
    const rows = await listViews(context.database.kysely, me.id, table);
    return rows.flatMap((row) => toVisibleView(row, me, model)?.info ?? []);
  });
}

export async function oneView(context: Context, me: Subject, id: string): Promise<ViewInfo> {
  const view = await readByModel(context, async (model) => {
    const row = await findView(context.database.kysely, id);
    return row && toVisibleView(row, me, model);
  });
  return found(view).info;
}

export async function addView(
  context: Context,
  me: Subject,
  { table: name, orderOf, ...call }: CreateViewCall,
): Promise<ViewInfo> {
  const id = randomUUID();
  await write(context, me, async (tx, model) => {
    const { table } = readableTable(me, model, name);
    const { sort } = visibleTable(model, name, me);
    const asTable = { shared: false, filter: null, sort, columns: [], group: null };
    const view: ViewDocument = { ...asTable, ...call };
    requireMayStore(me, table, view.shared);
    validate(model, view, name, me);
    requireSize(view);
    await requireCapacity(context, tx, name, me, view.shared);
    const row = { id, table_name: name, owner: me.id, updated_by: me.id, ...storedColumns(view) };
    if (!(await insertView(tx, row))) throw nameTaken();
    if (orderOf === undefined) return;
    const copied = requireVisible(await findView(tx, orderOf), me, model);
    if (copied.info.table !== name) throw new Refusal("not_found");
    await copyRanks(tx, orderOf, id);
  });
  return oneView(context, me, id);
}

/** Merges the change into the view, property by property. It takes effect at once for everybody who uses it. */
export async function changeView(
  context: Context,
  me: Subject,
  id: string,
  call: PatchViewCall,
): Promise<ViewInfo> {
  await write(context, me, async (tx, model) => {
    const original = requireVisible(await findView(tx, id), me, model);
    const { info, table, settings } = original;
    const { base, ...changes } = call;
    requireMayStore(me, table, info.shared);
    const [seenTree, tree] = [viewToTree(base ?? {}), viewToTree(changes)];
    refuseConflicts(findConflicts(seenTree, tree, viewToTree(info)), info.updated);
    const columns = changes.columns
      ? withHiddenColumns(changes.columns, original)
      : settings.columns;
    const after = {
      ...documentOf(info),
      ...changes,
      columns,
      appearance: appearanceAfter(changes, original),
    };
    if (after.shared !== info.shared) {
      requireMayStore(me, table, after.shared);
      await requireCapacity(context, tx, table.name, me, after.shared);
    }
    validate(model, changes, table.name, me);
    requireSize(after);
    await store(tx, me, info, after);
  });
  return oneView(context, me, id);
}

/**
 * Moves records by hand in the order of a view (store/views/record-ranks.ts). Ids of records that the caller may not read are answered like those
 * of none. Refuses what is ordered by fields, where it would not be seen, and a view that shows more records than `MOVED_MAX_RECORDS`.
 */
export async function moveInView(
  context: Context,
  me: Subject,
  id: string,
  { moves }: MoveRecordsCall,
): Promise<ViewInfo> {
  await requireFewShown(context, me, id);
  const ids = requireMoves(moves);
  await write(context, me, async (tx, model) => {
    const { table, settings } = await movableView(tx, me, { id, model });
    const rights = readableTable(me, model, table.name).scope.filter;
    if ((await countNamed(tx, table, { ids, filter: rights })) < ids.length) {
      throw new Refusal("not_found");
    }
    if (settings.sort.length > 0) throw notMovable(explain("view.sorted"));
    for (const move of moves) await moveRecords(tx, { view: id, table }, move);
    const ranked = await countRanks(tx, { view: id, table }, MOVED_MAX_RECORDS);
    if (ranked > MOVED_MAX_RECORDS) throw tooManyToMove(ranked);
    await markMoved(tx, id, me.id);
  });
  return oneView(context, me, id);
}

/** Puts all records of a view back into the order of entry. */
export async function resetOrder(context: Context, me: Subject, id: string): Promise<ViewInfo> {
  await write(context, me, async (tx, model) => {
    const { info, table } = requireVisible(await findView(tx, id), me, model);
    requireMayStore(me, table, info.shared);
    await deleteRanks(tx, id);
    // The version goes on: screens that missed this would know one that began anew, and keep their rows.
    await markMoved(tx, id, me.id);
  });
  return oneView(context, me, id);
}

/** All ids that moves name, each once. Refuses a move that names one twice. */
function requireMoves(moves: MoveRecordsCall["moves"]): string[] {
  const named = moves.map(({ records, after }) => (after === null ? records : [...records, after]));
  const isTwice = named.some((ids) => new Set(ids).size < ids.length);
  if (isTwice) throw notMovable(explain("view.movedTwice"));
  const ids = [...new Set(named.flat())];
  if (ids.length > MOVED_MAX_RECORDS + moves.length) throw tooManyToMove(ids.length);
  return ids;
}

/** A view whose records the caller may move. */
async function movableView(
  db: Db,
  me: Subject,
  { id, model }: { id: string; model: Model },
): Promise<VisibleView> {
  const view = requireVisible(await findView(db, id), me, model);
  requireMayStore(me, view.table, view.info.shared);
  return view;
}

/** Counts before views are locked: a filter that no index serves reads the whole table, and everybody else's views would wait for that. */
async function requireFewShown(context: Context, me: Subject, id: string): Promise<void> {
  const { kysely } = context.database;
  const bound = MOVED_MAX_RECORDS;
  const size = await readByModel(context, async (model) => {
    const { table, settings } = await movableView(kysely, me, { id, model });
    const { scope } = readableTable(me, model, table.name);
    const shown = { filter: settings.filter, zone: zoneOf(model) };
    return countMatches(kysely, table, { filter: wholeFilter(shown, table, scope, me), bound });
  });
  if (size > bound) throw tooManyToMove(size);
}

const notMovable = (explanation: Explanation) =>
  new Refusal("invalid_request", { at: "moves" }, explanation);

const tooManyToMove = (size: number) =>
  new Refusal(
    "too_large",
    { limit: MOVED_MAX_RECORDS, size },
    explain("view.tooManyToMove", { limit: MOVED_MAX_RECORDS }),
  );

export function removeView(context: Context, me: Subject, id: string): Promise<void> {
  return write(context, me, async (tx, model) => {
    const { info, table } = requireVisible(await findView(tx, id), me, model);
    requireMayStore(me, table, info.shared);
    await markViewRemoved(tx, id);
  });
}

/** Restores a view that was removed in the last 30 days. */
export async function restoreView(context: Context, me: Subject, id: string): Promise<ViewInfo> {
  await write(context, me, async (tx, model) => {
    const { info, table, settings } = requireVisible(await findView(tx, id, true), me, model);
    requireMayStore(me, table, info.shared);
    await requireCapacity(context, tx, table.name, me, info.shared);
    await store(tx, me, info, { ...documentOf(info), ...settings });
  });
  return oneView(context, me, id);
}

/** No other write of views, and no other model, before the transaction has ended. */
function write(
  context: Context,
  me: Subject,
  work: (tx: Db, model: Model) => Promise<void>,
): Promise<void> {
  return writeByModel(context, holdViews, async (tx, model) => {
    if (!(await holdActive(tx, me.id))) throw new Refusal("unauthenticated");
    await work(tx, model);
  });
}

/** A user who makes a shared view personal becomes its owner. */
async function store(tx: Db, me: Subject, view: ViewInfo, after: ViewDocument): Promise<void> {
  const { id, table: table_name } = view;
  const owner = after.shared ? (view.owner?.id ?? null) : me.id;
  const row = { id, table_name, owner, updated_by: me.id, ...storedColumns(after) };
  if (!(await updateView(tx, row))) throw nameTaken();
}

function visibleTable(model: Model, name: string, me: Subject): Table {
  return found(findTable(visibleModel(model, me), name));
}

/** Only what is changed: a view may name a field that was retyped meanwhile, and can be corrected part by part. */
function validate(model: Model, view: Partial<ViewSettings>, table: string, me: Subject): void {
  const {
    filter = null,
    sort = [],
    columns = [],
    group = null,
    grouping = null,
    appearance = {},
  } = view;
  const look: ViewSettings = { filter, sort, columns, group, grouping, appearance };
  requireStorable(look);
  const problem = checkViewSettings(look, visibleTable(model, table, me));
  if (problem) throw new Refusal("invalid_request", { at: problem.property }, problem);
}

function requireSize(view: ViewDocument): void {
  const [size, limit] = [utf8Length(JSON.stringify(view)), VIEW_MAX_BYTES];
  if (size > limit) throw new Refusal("too_large", { limit, size });
}

async function requireCapacity(
  { limits: { TABLE_MAX_SHARED_VIEWS, PERSON_MAX_VIEWS } }: Context,
  tx: Db,
  table: string,
  me: Subject,
  shared: boolean,
): Promise<void> {
  const count = await countViews(tx, table, me.id);
  const [size, limit] = shared
    ? [count.shared, TABLE_MAX_SHARED_VIEWS]
    : [count.own, PERSON_MAX_VIEWS];
  if (size >= limit) throw new Refusal("too_large", { limit, size: size + 1 });
}

function requireVisible(row: ViewRow | null, me: Subject, model: Model): VisibleView {
  return found(row && toVisibleView(row, me, model));
}

function requireMayStore(me: Subject, table: Table, shared: boolean): void {
  if (shared) requireRight(me, "sharedViews");
  else if (!mayOwnViews(me.role, table)) {
    const explanation = explain("view.right", { table: table.label.toLowerCase() });
    throw new Refusal("forbidden", { right: "update", table: table.name }, explanation);
  }
}

/** Users can't move hidden columns: those stay, at the end. */
function withHiddenColumns(
  columns: ViewColumn[],
  { settings: look, fields }: VisibleView,
): ViewColumn[] {
  return [...columns, ...look.columns.filter(({ field }) => !fields.includes(field))];
}

/** The rules that its author can't see stay. */
function appearanceAfter({ appearance }: Partial<ViewDocument>, original: VisibleView): Appearance {
  const { settings, fields } = original;
  const stored = settings.appearance ?? {};
  if (!appearance) return stored;
  return withHiddenRules(appearance, stored, (field) => fields.includes(field));
}

function storedColumns({ name, shared, ...look }: ViewDocument) {
  return { name, shared, look: look as unknown as Json };
}

function nameTaken(): Refusal {
  return new Refusal("duplicate", { field: "name" }, explain("view.nameTaken"));
}
