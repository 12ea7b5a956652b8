import type { GridApi } from "ag-grid-community";
import type { Json } from "../../../../shared/filter/filter.ts";
import type { Field, Table } from "../../../../shared/model/model.ts";
import type { RecordCard } from "../../../../shared/model/record-card.ts";
import type { TableAbilities } from "../../../../shared/policy/abilities.ts";
import type { ViewInfo } from "../../../../shared/protocol/views.ts";
import type { RecordPlace } from "../../records/record-trail.ts";
import type { RecordView } from "../../state/record-view.ts";
import type { TargetLabels } from "../../sync/calls/target-labels.ts";
import type { ClientCore } from "../../sync/client-core.ts";
import type { TableSession } from "../../sync/feed/followed-tables.ts";
import type { RowList } from "../../sync/rows/row-list.ts";
import type { LiveCells } from "./cells/live-cells.ts";
import type { UnreadableCells } from "./clipboard/unreadable-cells.ts";
import type { EditorHost } from "./edit/editor-host.ts";
import type { FindModel } from "./find/find-model.ts";
import type { GroupRows } from "./groups/group-rows.ts";
import type { KeyQueue } from "./keys/key-queue.ts";
import type { ColourRules } from "./look/colour-rules.ts";
import type { PresenceMap } from "./presence/presence-map.ts";
import type { RangeModel } from "./range/range-model.ts";
import type { UnreadComments } from "./rows/unread-comments.ts";

/** What the screen around the grid does on the grid's behalf. */
export interface ScreenActions {
  /** Opens the panel of a record, and in it a record that it links to. */
  openRecord(record: string, linked?: RecordPlace | null): void;
  /** Leaves the table for another address of the product. */
  goTo(address: string): void;
  /** Shows why an edit was not saved, beside its cell, and goes there unless the cell keeps the focus. */
  showEditStatus(record: string, field: string, hasFocus: boolean): void;
  /** Shows the conflict that an edit has come into, beside its cell, unless another one is open. The focus stays where it is. */
  showNewConflict(record: string, field: string): void;
  /** Shows the available transitions of a record beside the cell of its state. */
  showTransitions(record: string): void;
  /** Sorts by a field: ascending, descending, unsorted. `add` keeps the other sort keys. */
  sortBy(field: string, add: boolean): void;
  /** Writes one cell that needs no editor, such as a yes or no. */
  setCell(record: RecordView, field: Field, value: Json): void;
  openColumnMenu(field: string, at: DOMRect): void;
  /** The view whose rows the user can move by hand, or a sentence why they can't. */
  movable(): Movable;
}

/** Whether rows can be moved by hand on the screen. Without a view that the user may change there is no place for their order. */
export type Movable = { view: ViewInfo; reason: string | null } | { view: null; reason: string };

/**
 * Everything that the parts of a mounted grid share. Created once per row list and table; what changes in its lifetime
 * (presence, range, columns) is in small models with their own listeners.
 */
export interface GridController {
  table: Table;
  fields: ReadonlyMap<string, Field>;
  abilities: TableAbilities;
  core: ClientCore;
  session: TableSession;
  rowList: RowList;
  labels: TargetLabels;
  cells: LiveCells;
  range: RangeModel;
  editors: EditorHost;
  /** The text to find in the rows, and its matches. */
  find: FindModel;
  /** The headings of groups between the rows; none where rows are not grouped. */
  groups: GroupRows;
  /** What the last paste could not read. */
  unreadable: UnreadableCells;
  /** The colours of rows and cells, by the rules of the view. */
  colours: ColourRules;
  /** Delivers each key to the record that it was meant for. */
  keys: KeyQueue;
  /** The presence of other users. */
  presence: PresenceMap;
  actions: ScreenActions;
  /** What cards show, on a phone; null where rows have columns. */
  cards: RecordCard | null;
  /** Unread comments, which rows and cards show. */
  unread: UnreadComments;
  /** The record whose panel is open beside the grid. */
  opened: string | undefined;
  /** Names of the columns shown, from left to right. */
  columns: readonly string[];
  /** How much wider its columns are drawn than they are stored, as long as it is there. */
  columnScale: number;
  /** The columns that nobody sized, which share the width that the others leave over, and their smallest widths as drawn. */
  sharedWidths: Map<string, number>;
  /** The element that holds the grid. */
  host: HTMLElement;
  api: GridApi<RecordView>;
}

/** AG Grid deeply copies plain objects in column parameters, but not instances of classes. */
class GridControllerInstance {}

/** Creates a controller that AG Grid does not copy. */
export function createGridController(members: GridController): GridController {
  return Object.assign(new GridControllerInstance(), members);
}
