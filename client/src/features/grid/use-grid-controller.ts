import { randomId } from "@mantine/hooks";
import type { GridOptions } from "ag-grid-community";
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import { type Field, idOfField, type Table } from "../../../../shared/model/model.ts";
import type { Appearance } from "../../../../shared/model/view/appearance.ts";
import type { TableAbilities } from "../../../../shared/policy/abilities.ts";
import type { PlacedColumn } from "../../records/views/column-layout.ts";
import { densityAtom } from "../../state/preferences.ts";
import type { RecordView } from "../../state/record-view.ts";
import { useAtom } from "../../state/use-atom.ts";
import type { TargetLabels } from "../../sync/calls/target-labels.ts";
import { pageCore } from "../../sync/page/page-core.ts";
import { screenScale } from "../../ui/screen-scale.ts";
import { useLatest } from "../../ui/use-latest.ts";
import { keepGridStyles } from "./ag-grid.ts";
import { cardOfView } from "./cards/card-view.ts";
import { LiveCells } from "./cells/live-cells.ts";
import { UnreadableCells } from "./clipboard/unreadable-cells.ts";
import { sharedWidths } from "./columns/fill-width.ts";
import { EditorHost } from "./edit/editor-host.ts";
import { FindModel } from "./find/find-model.ts";
import {
  createGridController,
  type GridController,
  type ScreenActions,
} from "./grid-controller.ts";
import { arrangeColumns, connectGrid, type GridHooks, gridOptions } from "./grid-options.ts";
import { GroupRows } from "./groups/group-rows.ts";
import { KeyQueue } from "./keys/key-queue.ts";
import { ColourRules } from "./look/colour-rules.ts";
import { applyRowHeight } from "./look/row-height.ts";
import { PresenceMap } from "./presence/presence-map.ts";
import { rangeLayout } from "./range/range-layout.ts";
import { RangeModel } from "./range/range-model.ts";
import { indexOfRecord } from "./range/row-map.ts";
import { takeFocus } from "./rows/grid-focus.ts";
import { UnreadComments } from "./rows/unread-comments.ts";
import type { OpenTable } from "./use-open-table.ts";

interface Props {
  table: Table;
  abilities: TableAbilities;
  open: OpenTable;
  labels: TargetLabels;
  placed: readonly PlacedColumn[];
  /** Whether the rows are cards, as on a phone. */
  asCards: boolean;
  /** Changes whenever the columns have to be arranged again. */
  arrangement: string;
  /** The same object as long as nothing in it changes. */
  appearance: Appearance;
  /** The record whose panel is open. */
  opened: string | undefined;
  /** Whether the menu of a cell is open: what it names is selected in this grid. */
  isMenuOpen: boolean;
  actions: ScreenActions;
  hooks: GridHooks;
}

/** The props of the grid, created once, so that no render rebuilds it. */
export interface GridMount {
  /** Another one is another grid. */
  key: string;
  options: GridOptions<RecordView>;
}

/**
 * Prepares the grid, once per row list and again when table or rights change. The controller exists once the grid is mounted.
 * Values that React renews (actions, hooks) are read through a ref at the time of use.
 */
export function useGridController(
  host: HTMLElement | null,
  props: Props,
): { grid: GridController | null; mount: GridMount | null; keys: KeyQueue } {
  const [mount, setMount] = useState<GridMount | null>(null);
  const [grid, setGrid] = useState<GridController | null>(null);
  const latest = useLatest(props);
  const [keys] = useState(() => new KeyQueue());
  const [find] = useState(() => new FindModel());
  useEffect(() => () => find.stop(), [find]);
  useEffect(() => keys.listen(), [keys]);
  const density = useAtom(densityAtom);
  const { open, opened } = props;
  const { table, abilities, asCards, arrangement } = useFrozenWhileTyping(grid, keys, props);
  // Keys may come between the decision to build another grid and the effect below, which removes the old one: from the decision on they wait.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the dependencies are those of that effect, so that the clean-up runs whenever it does.
  useLayoutEffect(() => keys.awaitGrid, [keys, host, table, abilities, open, asCards]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rest is read through `latest`.
  useEffect(() => {
    if (!host) return;
    const presence = new PresenceMap(table.name);
    const frozen = { ...latest.current, table, abilities, asCards };
    const made = buildController(latest, frozen, host, { presence, keys, find });
    let disconnect = () => {};
    const options: GridOptions<RecordView> = {
      ...gridOptions(made, latest.current.placed, latestHooks(latest)),
      onGridReady: ({ api }) => {
        disconnect = connectGrid(made, api);
        setGrid(made);
      },
      onGridPreDestroyed: () => {
        disconnect();
        setGrid((now) => (now === made ? null : now));
      },
    };
    keepGridStyles();
    setMount({ key: randomId(), options });
    return () => {
      setGrid(null);
      setMount(null);
      presence.stop();
    };
  }, [host, table, abilities, open, asCards]);
  const { appearance } = props;
  const arranged = useRef(arrangement);
  useEffect(() => {
    if (!grid || grid.api.isDestroyed() || arranged.current === arrangement) return;
    arranged.current = arrangement;
    arrangeColumns(grid, latest.current.placed);
  }, [grid, arrangement]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: with another density the style sheets have other heights.
  useEffect(() => {
    if (!grid || grid.cards || grid.api.isDestroyed()) return;
    applyRowHeight(grid, appearance, latest.current.hooks.onFailure);
  }, [grid, density, appearance]);
  useEffect(() => grid?.colours.set(appearance.rules ?? []), [grid, appearance]);
  useEffect(() => {
    if (grid && !grid.api.isDestroyed()) showOpened(grid, opened);
  }, [grid, opened]);
  return { grid, mount, keys };
}

/** Marks the row of the opened record and scrolls to it. Takes the focus when the record is closed. */
function showOpened(grid: GridController, opened: string | undefined): void {
  const before = grid.opened;
  grid.opened = opened;
  for (const record of [before, opened]) {
    if (record !== undefined) for (const cell of grid.cells.ofRecord(record)) cell.paintState();
  }
  if (opened === undefined) grid.unread.reload();
  const index = indexOfRecord(grid, opened ?? "");
  if (index >= 0) grid.api.ensureIndexVisible(index);
  const isClosed = before !== undefined && opened === undefined;
  if (isClosed && document.activeElement === document.body) takeFocus(grid, before);
}

const noSubscription = () => () => {};

/**
 * The table, the rights, the form of rows and the columns that the grid is built on. While the user types, a cell is being edited, or its menu
 * is open, they stay as they were, so that another model does not take the editor away, and no column moves under keys that are on their way: the edit is
 * sent by names that the server still understands, and what it refuses is listed as unsaved.
 */
function useFrozenWhileTyping(
  grid: GridController | null,
  keys: KeyQueue,
  { table, abilities, asCards, arrangement, isMenuOpen }: Props,
): Pick<Props, "table" | "abilities" | "asCards" | "arrangement"> {
  const editors = grid?.editors;
  const isEditing = useSyncExternalStore(
    editors?.subscribe ?? noSubscription,
    () => editors?.isOpen === true && isStillWritable(editors.current()?.field, table, abilities),
  );
  const now = { table, abilities, asCards, arrangement };
  const [frozen, setFrozen] = useState(now);
  const isCurrent = Object.entries(now).every(
    ([name, value]) => frozen[name as keyof typeof now] === value,
  );
  // Renders when the user stops typing only if there is something to take up.
  const isTyping = useSyncExternalStore(keys.subscribe, () => !isCurrent && keys.isTyping());
  if (isTyping || isEditing || isMenuOpen || isCurrent) return frozen;
  setFrozen(now);
  return now;
}

/** Whether the field can be written by me, under whatever name, by this model and these rights. */
function isStillWritable(
  field: Field | undefined,
  table: Table,
  { update }: TableAbilities,
): boolean {
  const now = field && table.fields.find((one) => idOfField(one) === idOfField(field));
  return now !== undefined && update.includes(now.name);
}

function buildController(
  latest: { current: Props },
  frozen: Props,
  host: HTMLElement,
  { presence, keys, find }: Pick<GridController, "presence" | "keys" | "find">,
): GridController {
  const { table, abilities, open, labels, placed } = frozen;
  const actions: ScreenActions = {
    openRecord: (record, linked) => latest.current.actions.openRecord(record, linked),
    goTo: (address) => latest.current.actions.goTo(address),
    showEditStatus: (record, field, hasFocus) =>
      latest.current.actions.showEditStatus(record, field, hasFocus),
    showNewConflict: (record, field) => latest.current.actions.showNewConflict(record, field),
    showTransitions: (record) => latest.current.actions.showTransitions(record),
    sortBy: (field, add) => latest.current.actions.sortBy(field, add),
    openColumnMenu: (field, at) => latest.current.actions.openColumnMenu(field, at),
    movable: () => latest.current.actions.movable(),
    setCell: (record, field, value) => latest.current.actions.setCell(record, field, value),
  };
  const visible = new Set(abilities.fields);
  const shown = table.fields.filter((field) => visible.has(field.name));
  const fields = new Map(shown.map((field) => [field.name, field]));
  const scale = screenScale();
  const grid: GridController = createGridController({
    table,
    fields,
    abilities,
    core: pageCore(),
    session: open.session,
    rowList: open.rowList,
    labels,
    cells: new LiveCells(),
    range: new RangeModel(rangeLayout(() => grid)),
    editors: new EditorHost(),
    find,
    groups: new GroupRows(() => grid),
    unreadable: new UnreadableCells(() => {
      for (const cell of grid.cells.all()) cell.paintState();
    }),
    colours: new ColourRules(() => grid),
    keys,
    presence,
    actions,
    cards: frozen.asCards ? cardOfView(table, placed) : null,
    unread: new UnreadComments(table.name),
    opened: undefined,
    columns: [],
    columnScale: scale,
    sharedWidths: sharedWidths({ fields, columnScale: scale }, placed),
    host,
    // Filled by `connectGrid` before anybody can ask.
    api: undefined as never,
  });
  return grid;
}

function latestHooks(latest: { current: Props }): GridHooks {
  return {
    onSelection: (count) => latest.current.hooks.onSelection(count),
    onColumns: (made) => latest.current.hooks.onColumns(made),
    onFailure: (error) => latest.current.hooks.onFailure(error),
  };
}
