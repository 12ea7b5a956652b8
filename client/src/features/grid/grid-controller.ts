import type { GridApi } from "ag-grid-community";
import type { Json } from "../../../../shared/filter/filter.ts";
import type { Field, Table } from "../../../../shared/model/model.ts";
import type { TableAbilities } from "../../../../shared/policy/abilities.ts";
import type { RecordView } from "../../state/record-view.ts";
import type { TargetLabels } from "../../sync/calls/target-labels.ts";
import type { ClientCore } from "../../sync/client-core.ts";
import type { RecordWindow } from "../../sync/window/record-window.ts";
import type { LiveCells } from "./cells/live-cells.ts";
import type { EditorHost } from "./edit/editor-host.ts";
import type { KeyQueue } from "./keys/key-queue.ts";
import type { PresenceMap } from "./presence/presence-map.ts";
import type { RangeModel } from "./range/range-model.ts";

/** What the screen around the grid does on the grid's behalf. */
export interface ScreenActions {
  openRecord(record: string): void;
  /** Shows what became of an edit (conflict, refusal) next to its cell. */
  showEditStatus(record: string, field: string): void;
  /** Shows the moves from a record's state next to its cell. */
  showTransitions(record: string): void;
  /** Sorts by a field: ascending, descending, not at all. `add` keeps the other keys. */
  sortBy(field: string, add: boolean): void;
  /** Writes one cell that needs no editor, such as a yes or no. */
  setCell(record: RecordView, field: Field, value: Json): void;
  openColumnMenu(field: string, at: DOMRect): void;
}

/**
 * Everything that the parts of one mounted grid share. Made once per window and table; what changes
 * while it lives (people, range, columns shown) is held in small models with their own listeners.
 */
export interface GridController {
  table: Table;
  fields: ReadonlyMap<string, Field>;
  abilities: TableAbilities;
  core: ClientCore;
  window: RecordWindow;
  labels: TargetLabels;
  cells: LiveCells;
  range: RangeModel;
  editors: EditorHost;
  /** Brings each key to the record that it was meant for. */
  keys: KeyQueue;
  /** Who is where: others only, never me. */
  presence: PresenceMap;
  actions: ScreenActions;
  /** The record whose panel is open beside the grid. */
  opened: string | undefined;
  /** Names of the columns shown, from left to right. */
  columns: readonly string[];
  /** The element that holds the grid. */
  host: HTMLElement;
  api: GridApi<RecordView>;
}

/** The grid deeply copies plain objects that it is given with a column, but no instance of a class. */
class GridControllerInstance {}

/** Makes a desk that stays one object wherever the grid hands it. */
export function createGridController(members: GridController): GridController {
  return Object.assign(new GridControllerInstance(), members);
}
