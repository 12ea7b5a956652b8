import {
  cleanNotifications,
  cleanNotificationsQueue,
  notificationsStore,
} from "@mantine/notifications";
import { onTestFinished, vi } from "vitest";
import {
  type Field,
  findTable,
  type Table,
  type Values,
} from "../../../../../shared/model/model.ts";
import { fakeModel } from "../../../sync/testing/fake-server.ts";
import { fakeSystem, record } from "../../../sync/testing/fake-system.ts";
import { UnreadableCells } from "../clipboard/unreadable-cells.ts";
import type { GridController } from "../grid-controller.ts";
import { GroupRows } from "../groups/group-rows.ts";
import { rangeLayout } from "../range/range-layout.ts";
import { RangeModel } from "../range/range-model.ts";

/** The table of the fake server, with a second field of texts, and one of times. */
function tableOfGrid(): Table {
  const table = findTable(fakeModel, "incidents");
  if (!table) throw new Error("The fake server has no such table.");
  const types: Record<string, Field["type"]> = { state: "text", secret: "timestamp" };
  const fields = table.fields.map((field) => ({ ...field, type: types[field.name] ?? field.type }));
  return { ...table, fields, columns: fields.map(({ name }) => name) };
}

/**
 * A grid without a screen over the rows of a fake server, sorted by rank. `ticked` are the records whose boxes are ticked,
 * as the grid last had them; `focused` is the cell with the focus.
 */
export async function fakeGrid(count: number, make: (index: number) => Values = record) {
  const system = fakeSystem();
  system.seed(count, make);
  const client = system.client("mara");
  const session = client.core.openTable("incidents");
  const rowList = session.openRowList({ filter: null, sort: ["rank"], search: "" });
  client.core.start();
  const { clock } = system;
  await clock.advance(100);
  const table = tableOfGrid();
  const at = { ticked: [] as unknown[], focused: { row: 0, field: "title" } };
  const opened: string[] = [];
  const listeners = new Map<string, () => void>();
  const names = table.fields.map(({ name }) => name);
  const grid = {
    table,
    fields: new Map(table.fields.map((field) => [field.name, field])),
    abilities: { read: true, create: true, update: names, delete: true, fields: names },
    core: client.core,
    session,
    rowList,
    labels: { labelOf: () => undefined, isCached: () => true },
    columns: names,
    cards: null,
    editors: { isOpen: false },
    actions: { openRecord: (id: string) => opened.push(id), goTo() {} },
    keys: { moveTo() {} },
    api: {
      isDestroyed: () => true,
      addEventListener: (name: string, listener: () => void) => void listeners.set(name, listener),
      deselectAll: () => void at.ticked.splice(0),
      ensureColumnVisible() {},
      ensureIndexVisible() {},
      getSelectedNodes: () => at.ticked.map((data) => ({ data })),
      getFocusedCell: () => ({
        rowIndex: at.focused.row,
        rowPinned: null,
        column: { getColId: () => at.focused.field },
      }),
      getDisplayedRowAtIndex: (index: number) => ({ data: rowList.at(index) }),
    },
  } as unknown as GridController;
  grid.range = new RangeModel(rangeLayout(() => grid));
  grid.groups = new GroupRows(() => grid);
  grid.unreadable = new UnreadableCells(() => {});
  session.onTouched(({ records }) =>
    grid.range.update(records, (id) => rowList.get(id)?.mark === "deleted"),
  );
  vi.stubGlobal("document", { querySelector: () => ({}) });
  const keys = new Set<(event: object) => void>();
  vi.stubGlobal("window", {
    addEventListener: (
      _: string,
      on: (event: object) => void,
      { signal }: { signal: AbortSignal },
    ) => {
      keys.add(on);
      signal.addEventListener("abort", () => keys.delete(on));
    },
  });
  onTestFinished(async () => {
    cleanNotifications();
    cleanNotificationsQueue();
    vi.unstubAllGlobals();
    await client.core.stop();
  });
  return {
    ...system,
    grid,
    at,
    opened,
    /** Presses a key that the page itself waits for. Answers whether something has taken it. */
    pressOnPage(key: string): boolean {
      let isTaken = false;
      const take = () => {
        isTaken = true;
      };
      for (const on of keys) on({ key, preventDefault: take, stopImmediatePropagation: take });
      return isTaken;
    },
    /** Ticks the boxes of these rows. */
    tick(...ids: string[]): void {
      at.ticked = ids.map((id) => rowList.get(id));
      listeners.get("rowSelected")?.();
    },
    select: (top: number, bottom: number, left: string, right = left) =>
      grid.range.select({
        anchor: { row: top, column: names.indexOf(left) },
        head: { row: bottom, column: names.indexOf(right) },
      }),
    /** Makes a field required of new records. */
    require(name: string): void {
      const required = (field: Field) =>
        field.name === name ? { ...field, required: true } : field;
      const tables = fakeModel.tables.map((one) => ({ ...one, fields: one.fields.map(required) }));
      client.setVisibleModel({ ...fakeModel, tables });
    },
    /** Runs an action to its end, and what it has sent to the server. */
    async run<T>(action: Promise<T>): Promise<T> {
      let isDone = false;
      const done = action.finally(() => {
        isDone = true;
      });
      while (!isDone) {
        await clock.advance(20);
        // Some promises are those of the browser, and need a task of their own.
        await new Promise((resolve) => setTimeout(resolve, 0));
      }
      await clock.advance(100);
      return done;
    },
    stored: (id: string, field: string) => system.server.incidents.records.get(id)?.values[field],
  };
}

/** The texts of the toasts on the screen that offer no undo. */
export function shownToasts(): string[] {
  const { notifications, queue } = notificationsStore.getState();
  return [...notifications, ...queue].flatMap(({ message }) =>
    typeof message === "string" ? [message] : [],
  );
}

/** The toasts on the screen that offer an undo. */
export function offeredUndos(): unknown[] {
  const { notifications, queue } = notificationsStore.getState();
  return [...notifications, ...queue].filter(({ message }) => typeof message !== "string");
}
