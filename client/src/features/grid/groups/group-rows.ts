import { deepEqual } from "../../../../../shared/document/deep-equal.ts";
import type { Json } from "../../../../../shared/filter/filter.ts";
import { readSortKey } from "../../../../../shared/filter/sort-key.ts";
import { Listeners } from "../../../../../shared/listeners.ts";
import type { Field } from "../../../../../shared/model/model.ts";
import type { ColumnSummary } from "../../../../../shared/model/view/summary-ops.ts";
import type { SummaryRow } from "../../../../../shared/protocol/summary.ts";
import type { GroupPlace } from "../../../sync/edits/pending-edits.ts";
import type { GridController } from "../grid-controller.ts";
import { canAddTo, isGroupHidden } from "./add-to-group.ts";
import { groupKey, groupOrder } from "./group-filter.ts";
import {
  alignHeadings,
  type ExtraPlace,
  type ExtraRow,
  estimateHeadings,
  extraAt,
  type Heading,
  headingOfRow,
  indexOfRow,
  type KeyOrder,
  rowAtIndex,
  withNewRows,
} from "./place-headings.ts";
import type { Groups } from "./use-groups.ts";

/** Groups on the screen, counted apart from the view's first ones: all `keys` are, also those without a row. */
export interface FurtherGroups {
  keys: readonly Json[];
  rows: readonly SummaryRow[];
  isExact: boolean;
}

/** The groups of a view, as last counted. */
export interface GroupedView {
  groups: Groups;
  /** Null while they are being counted for the first time. */
  counted: readonly SummaryRow[] | null;
  /** Those on the screen that are counted apart, where there are more groups than are counted with the view. */
  further: FurtherGroups | null;
  /** The columns that are summarized. Their values follow the count in the values of a group. */
  columns: readonly { column: Field; op: ColumnSummary }[];
  /** The position that the counts include; null if they are of another filter. */
  seq: number | null;
  isExact: boolean;
  /** Why they are not exact, as far as there is more to say than that records change. */
  problem: string | null;
}

/** Where rows are not grouped, a new record begins below the last one. */
const newAtEnd: readonly ExtraRow[] = [{ kind: "new", key: null, start: Number.POSITIVE_INFINITY }];

/**
 * The rows of the grid that are no records: the headings of groups, and rows that begin a new record, at the end of each
 * group or of all rows. Headings take their places when the rows do: by the counts, corrected by the rows
 * that are loaded. Until the next realignment they stay there, like the rows, while their counts follow every change.
 * Ranges, the clipboard and keys count records only; `row-map.ts` translates.
 */
export class GroupRows {
  readonly #grid: () => GridController;
  readonly #listeners = new Listeners<boolean>();
  #view: GroupedView | null = null;
  #headings: readonly Heading[] = [];
  #extras: readonly ExtraRow[] = [];
  /** The position at the last alignment: older counts are not the last word on where groups begin. */
  #alignedAt = 0;
  #isPlaced = false;

  constructor(grid: () => GridController) {
    this.#grid = grid;
  }

  get view(): GroupedView | null {
    return this.#view;
  }

  /** How many of these rows there are. */
  get count(): number {
    return this.#shown.length;
  }

  /** Before there is a row, or a new record above the rows, nothing is at their end. */
  get #shown(): readonly ExtraRow[] {
    if (this.#headings.length > 0) return this.#extras;
    const { abilities, cards, rowList } = this.#grid();
    const isThere = () => rowList.status.rowCount > 0 || rowList.created.length > 0;
    return abilities.create && !cards && isThere() ? newAtEnd : [];
  }

  get keys(): readonly Json[] {
    return this.#headings.map(({ key }) => key);
  }

  /** The groups whose headings are drawn. */
  get drawnKeys(): readonly Json[] {
    const [first, end] = this.#drawn;
    const rows = Array.from({ length: end - first }, (_, offset) => this.at(first + offset));
    return rows.flatMap((row) => (row?.kind === "heading" ? [row.key] : []));
  }

  /** The indices of the rows that are drawn: the first, and one past the last. */
  get #drawn(): readonly [number, number] {
    const { api } = this.#grid();
    return [Math.max(0, api.getFirstDisplayedRowIndex()), api.getLastDisplayedRowIndex() + 1];
  }

  at(index: number): ExtraRow | undefined {
    return extraAt(this.#shown, index, this.#grid().rowList.status.rowCount);
  }

  /** Where an extra row is drawn; -1 if it is not there. */
  indexOf({ kind, key }: ExtraPlace): number {
    const extras = this.#shown;
    const place = extras.findIndex((one) => one.kind === kind && deepEqual(one.key, key));
    const row = extras[place];
    return row ? place + Math.min(row.start, this.#grid().rowList.status.rowCount) : -1;
  }

  /** The index in the grid of a row of the list. */
  indexOfRow(row: number): number {
    return indexOfRow(this.#shown, row);
  }

  /** The row of the list at an index of the grid; at a heading, the row that follows. */
  rowAtIndex(index: number): number {
    return rowAtIndex(this.#shown, index);
  }

  /** The row below the last one of a group whose rows are shown; null where this view has none. */
  endOf({ field, key }: GroupPlace): number | null {
    const { groups } = this.#view ?? {};
    const place = this.#headings.findIndex((one) => deepEqual(one.key, key));
    if (place < 0 || groups?.field.name !== field || isGroupHidden(groups, key)) return null;
    const next = this.#headings[place + 1]?.start ?? Number.POSITIVE_INFINITY;
    return Math.min(next, this.#grid().rowList.status.rowCount);
  }

  /** The groups are shown differently, or not at all. */
  set(view: GroupedView | null): void {
    const before = this.#view;
    if (this.#isPlaced && isSameView(before, view)) return;
    this.#view = view;
    if (!deepEqual(before?.groups.grouping, view?.groups.grouping)) this.#isPlaced = false;
    if (!this.#isPlaced) this.#place();
    this.#notify(false);
  }

  /** Rows have been put where they belong: so are the headings. */
  realign(): void {
    this.#alignedAt = this.#grid().session.position?.seq ?? 0;
    if (this.#view) this.#place();
  }

  /**
   * Headings that move would take an open editor away, and the keys typed next would replace what was typed: until it is
   * closed they stay, and are placed by the next `set`.
   */
  #mustStay(): boolean {
    const { isOpen } = this.#grid().editors;
    if (isOpen) this.#isPlaced = false;
    return isOpen;
  }

  /** These rows of the list have been loaded. */
  addRows(first: number, end: number): void {
    if (this.#mustStay()) return;
    const next = this.#aligned(this.#headings, first, end);
    if (!deepEqual(next, this.#headings)) this.#replace(next);
  }

  /** Moves headings whose records changed group. */
  update(records: Iterable<string>): void {
    const { rowList } = this.#grid();
    if (!this.#view || this.#mustStay()) return;
    for (const record of records) {
      const row = rowList.indexOf(record);
      const key = row < 0 ? undefined : this.#keyOf(row);
      const above = headingOfRow(this.#headings, row);
      if (key !== undefined && !deepEqual(key, above?.key)) this.addRows(row - 1, row + 2);
    }
  }

  hide(key: Json, isHidden: boolean): void {
    const { hidden, hide } = this.#view?.groups ?? {};
    const others = hidden?.filter((one) => !deepEqual(one, key)) ?? [];
    hide?.(isHidden ? [...others, key] : others, this.keys);
  }

  /** Calls back when headings have moved, or only their texts have changed. */
  onChange(listener: (isMoved: boolean) => void): () => void {
    return this.#listeners.add(listener);
  }

  #place(): void {
    if (this.#mustStay()) return;
    const order = this.#order();
    if (!this.#view || !order) {
      this.#replace([]);
      return;
    }
    const { counted, groups, seq } = this.#view;
    this.#isPlaced = seq !== null && seq >= this.#alignedAt;
    const rowsOf = ({ key, values }: SummaryRow) =>
      isGroupHidden(groups, key) ? 0 : Number(values[0]);
    const estimated = estimateHeadings(
      (counted ?? []).map((row) => ({ key: row.key, rows: rowsOf(row) })),
      order,
    );
    const [from, to] = this.#drawn.map((index) => this.rowAtIndex(Math.max(0, index)));
    this.#replace(this.#aligned(estimated, from ?? 0, to ?? 0));
  }

  #aligned(headings: readonly Heading[], first: number, end: number): readonly Heading[] {
    const keys = Array.from({ length: end - first }, (_, offset) => this.#keyOf(first + offset));
    const order = this.#order();
    return order ? alignHeadings(headings, first, keys, order) : [];
  }

  /**
   * The group order of the shown rows, which may still have another direction than the view. Null until rows of this
   * grouping are loaded: others have no headings.
   */
  #order(): KeyOrder | null {
    const { field, grouping } = this.#view?.groups ?? {};
    const [first] = this.#grid().rowList.shownView.sort.map(readSortKey);
    if (!field || !grouping || first?.field !== field.name) return null;
    const counted = this.#view?.counted ?? [];
    const { textOrder } = this.#grid().rowList;
    return groupOrder(field, grouping, { descending: first.descending, counted, textOrder });
  }

  /** The group in whose place the row is; undefined if it is not loaded, or has changed since. */
  #keyOf(row: number): Json | undefined {
    const record = this.#grid().rowList.at(row);
    const { field, grouping, zone } = this.#view?.groups ?? {};
    const value = field && record?.values[field.name];
    // An empty text is not where empty values are.
    if (!record || record.mark || !field || !grouping || value === "") return undefined;
    return groupKey(field, grouping, value ?? null, zone ?? "");
  }

  #replace(next: readonly Heading[]): void {
    const grid = this.#grid();
    const groups = this.#view?.groups;
    const canAdd = (key: Json) =>
      groups !== undefined && !isGroupHidden(groups, key) && canAddTo(grid, groups, key);
    const extras = withNewRows(next, grid.cards ? () => false : canAdd);
    if (deepEqual(extras, this.#extras)) return;
    this.#headings = next;
    this.#extras = extras;
    this.#notify(true);
  }

  #notify(isMoved: boolean): void {
    this.#listeners.emit(isMoved);
  }
}

/** Nothing has to be painted anew: the screen renders far more often than counts arrive. */
function isSameView(before: GroupedView | null, view: GroupedView | null): boolean {
  if (!before || !view) return before === view;
  const { groups, counted, columns, ...rest } = view;
  const isSame = before.groups === groups && before.counted === counted;
  const names = Object.keys(rest) as (keyof typeof rest)[];
  return isSame && names.every((n) => before[n] === rest[n]) && deepEqual(before.columns, columns);
}
