import { randomUUID } from "node:crypto";
import { findConflicts } from "../../shared/document/merge.ts";
import type { Json } from "../../shared/filter/filter.ts";
import { isStorableJson } from "../../shared/filter/storable.ts";
import type { Limits } from "../../shared/limits.ts";
import { findTable, type Model, type Table } from "../../shared/model/model.ts";
import { utf8Length } from "../../shared/model/utf8-length.ts";
import { type Appearance, withHiddenRules } from "../../shared/model/view/appearance.ts";
import {
  checkViewSettings,
  type ViewColumn,
  type ViewDocument,
  type ViewSettings,
} from "../../shared/model/view/view.ts";
import { viewToTree } from "../../shared/model/view/view-tree.ts";
import { mayOwnViews } from "../../shared/policy/role.ts";
import type { Subject } from "../../shared/policy/scope.ts";
import { refuseConflicts } from "../../shared/protocol/conflict-refusal.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { CreateViewCall, PatchViewCall, ViewInfo } from "../../shared/protocol/views.ts";
import { requireRight } from "../auth/require-right.ts";
import { requireScope } from "../policy/authorize.ts";
import { visibleModel } from "../policy/visible-model.ts";
import type { Database, Db } from "../store/database.ts";
import { publishedVersion } from "../store/models.ts";
import { requireModel, withPublishedModel } from "../store/published-model.ts";
import { holdActive } from "../store/users/users.ts";
import {
  countViews,
  findView,
  holdViews,
  insertView,
  listViews,
  removeView,
  updateView,
  type ViewRow,
} from "../store/views/views.ts";
import { documentOf, toVisibleView, type VisibleView } from "./stored-view.ts";

interface ViewsDeps {
  database: Database;
  model: () => Model;
  /** Loads the newest version of the model. */
  refreshModel: () => Promise<void>;
  limits: Pick<Limits, "TABLE_MAX_SHARED_VIEWS" | "PERSON_MAX_VIEWS" | "VIEW_MAX_BYTES">;
}

/**
 * The commands on views, each authorised by the caller's rights. Users who work in a table have personal
 * views of it; the right `sharedViews` shares them and changes shared ones.
 */
export class Views {
  readonly #deps: ViewsDeps;

  constructor(deps: ViewsDeps) {
    this.#deps = deps;
  }

  async list(me: Subject, table?: string): Promise<ViewInfo[]> {
    return this.#read(
      (db) => listViews(db, me.id, table),
      (rows, model) => rows.flatMap((row) => toVisibleView(row, me, model)?.info ?? []),
    );
  }

  async one(me: Subject, id: string): Promise<ViewInfo> {
    return this.#read(
      (db) => findView(db, id),
      (row, model) => requireVisible(row, me, model).info,
    );
  }

  async create(me: Subject, { table: name, ...call }: CreateViewCall): Promise<ViewInfo> {
    const id = randomUUID();
    await this.#write(me, async (tx) => {
      const table = findTable(this.#deps.model(), name);
      requireScope(me, table);
      const { sort } = this.#visibleTable(name, me);
      const asTable = { shared: false, filter: null, sort, columns: [], group: null };
      const view: ViewDocument = { ...asTable, ...call };
      requireMayStore(me, table as Table, view.shared);
      this.#validate(view, name, me);
      this.#requireSize(view);
      await this.#requireCapacity(tx, name, me, view.shared);
      const row = { id, table_name: name, owner: me.id, updated_by: me.id, ...storedColumns(view) };
      if (!(await insertView(tx, row))) throw nameTaken();
    });
    return this.one(me, id);
  }

  /**
   * Merges the change into the view, property by property. It takes effect at once for everybody who uses it.
   */
  async change(me: Subject, id: string, call: PatchViewCall): Promise<ViewInfo> {
    await this.#write(me, async (tx) => {
      const original = this.#requireVisible(await findView(tx, id), me);
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
        await this.#requireCapacity(tx, table.name, me, after.shared);
      }
      this.#validate(changes, table.name, me);
      this.#requireSize(after);
      await this.#update(tx, me, info, after);
    });
    return this.one(me, id);
  }

  async remove(me: Subject, id: string): Promise<void> {
    await this.#write(me, async (tx) => {
      const { info, table } = this.#requireVisible(await findView(tx, id), me);
      requireMayStore(me, table, info.shared);
      await removeView(tx, id);
    });
  }

  /** Restores a view that was removed in the last 30 days. */
  async restore(me: Subject, id: string): Promise<ViewInfo> {
    await this.#write(me, async (tx) => {
      const {
        info,
        table,
        settings: look,
      } = this.#requireVisible(await findView(tx, id, true), me);
      requireMayStore(me, table, info.shared);
      await this.#requireCapacity(tx, table.name, me, info.shared);
      await this.#update(tx, me, info, { ...documentOf(info), ...look });
    });
    return this.one(me, id);
  }

  /** Rows, checked by the model that they name: another server may have changed both a moment ago. */
  #read<Rows, Result>(
    read: (db: Db) => Promise<Rows>,
    toResult: (rows: Rows, model: Model) => Result,
  ): Promise<Result> {
    const { database, model, refreshModel } = this.#deps;
    return withPublishedModel(refreshModel, async () => {
      const current = model();
      const rows = await read(database.kysely);
      requireModel({ modelVersion: await publishedVersion(database.kysely) }, current);
      return toResult(rows, current);
    });
  }

  /** No other write of views, and no other model, before the transaction has ended. */
  #write(me: Subject, work: (tx: Db) => Promise<void>): Promise<void> {
    const { database, model, refreshModel } = this.#deps;
    const attempt = () =>
      database.kysely.transaction().execute(async (tx) => {
        await holdViews(tx);
        requireModel({ modelVersion: await publishedVersion(tx) }, model());
        if (!(await holdActive(tx, me.id))) throw new Refusal("unauthenticated");
        await work(tx);
      });
    return withPublishedModel(refreshModel, attempt);
  }

  /** A user who makes a shared view personal becomes its owner. */
  async #update(tx: Db, me: Subject, view: ViewInfo, after: ViewDocument): Promise<void> {
    const { id, table: table_name } = view;
    const owner = after.shared ? (view.owner?.id ?? null) : me.id;
    const row = { id, table_name, owner, updated_by: me.id, ...storedColumns(after) };
    if (!(await updateView(tx, row))) throw nameTaken();
  }

  #requireVisible(row: ViewRow | null, me: Subject): VisibleView {
    return requireVisible(row, me, this.#deps.model());
  }

  #visibleTable(name: string, me: Subject): Table {
    const table = findTable(visibleModel(this.#deps.model(), me), name);
    if (!table) throw new Refusal("not_found");
    return table;
  }

  /**
   * Only what is changed: a view may name a field that was retyped meanwhile, and can be corrected part by
   * part.
   */
  #validate(view: Partial<ViewSettings>, table: string, me: Subject): void {
    const {
      filter = null,
      sort = [],
      columns = [],
      group = null,
      grouping = null,
      appearance = {},
    } = view;
    const look: ViewSettings = { filter, sort, columns, group, grouping, appearance };
    if (!isStorableJson(look as unknown as Json)) {
      throw new Refusal("invalid_request", {}, "A text has a character that can't be stored.");
    }
    const problem = checkViewSettings(look, this.#visibleTable(table, me));
    if (problem) throw new Refusal("invalid_request", { at: problem.property }, problem.message);
  }

  #requireSize(view: ViewDocument): void {
    const [size, limit] = [utf8Length(JSON.stringify(view)), this.#deps.limits.VIEW_MAX_BYTES];
    if (size > limit) throw new Refusal("too_large", { limit, size });
  }

  async #requireCapacity(tx: Db, table: string, me: Subject, shared: boolean): Promise<void> {
    const { TABLE_MAX_SHARED_VIEWS, PERSON_MAX_VIEWS } = this.#deps.limits;
    const count = await countViews(tx, table, me.id);
    const [size, limit] = shared
      ? [count.shared, TABLE_MAX_SHARED_VIEWS]
      : [count.own, PERSON_MAX_VIEWS];
    if (size >= limit) throw new Refusal("too_large", { limit, size: size + 1 });
  }
}

function requireVisible(row: ViewRow | null, me: Subject, model: Model): VisibleView {
  const original = row && toVisibleView(row, me, model);
  if (!original) throw new Refusal("not_found");
  return original;
}

function requireMayStore(me: Subject, table: Table, shared: boolean): void {
  if (shared) requireRight(me, "sharedViews");
  else if (!mayOwnViews(me.role, table)) {
    const text = `Your role only looks at ${table.label.toLowerCase()}: it keeps no views of its own.`;
    throw new Refusal("forbidden", { right: "update", table: table.name }, text);
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
  return new Refusal("duplicate", { field: "name" }, "There is a view of that name already.");
}
