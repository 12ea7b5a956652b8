import type { GridApi } from "ag-grid-community";
import { useCallback, useMemo, useState } from "react";
import type { Table } from "../../../../../shared/model/model.ts";
import type { RecordView } from "../../../state/record-view.ts";
import { useMe } from "../../../state/use-account.ts";
import {
  type ColumnLayout,
  type PlacedColumn,
  parseLayout,
  placeColumns,
} from "./column-layout.ts";

export interface Columns {
  placed: readonly PlacedColumn[];
  /** Takes over what the person did to the columns in the grid itself. */
  take(api: GridApi<RecordView>): void;
  reset(): void;
  /** How often it was reset: the grid arranges itself anew with each. */
  resets: number;
}

/** A person's arrangement of a table's columns, kept in this browser per person and table. */
export function useColumns(table: Table, visible: readonly string[]): Columns {
  const key = `watchfloor.columns.${useMe().id}.${table.name}`;
  const [layout, setLayout] = useState(() => parseLayout(read(key)));
  const [resets, setResets] = useState(0);
  const placed = useMemo(() => placeColumns(table, visible, layout), [table, visible, layout]);
  const take = useCallback(
    (api: GridApi<RecordView>) => {
      const next = layoutOf(api, table);
      setLayout(next);
      keep(key, JSON.stringify(next));
    },
    [key, table],
  );
  const reset = useCallback(() => {
    setLayout(null);
    setResets((count) => count + 1);
    keep(key, null);
  }, [key]);
  return { placed, take, reset, resets };
}

function layoutOf(api: GridApi<RecordView>, table: Table): ColumnLayout {
  const names = new Set(table.fields.map((field) => field.name));
  const columns = api.getColumnState().filter((column) => names.has(column.colId));
  return {
    order: columns.map((column) => column.colId),
    hidden: columns.filter((column) => column.hide).map((column) => column.colId),
    pinned: columns.filter((column) => column.pinned).map((column) => column.colId),
    widths: Object.fromEntries(
      columns.flatMap(({ colId, width }) => (width ? [[colId, width]] : [])),
    ),
  };
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function keep(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Storage is blocked: the arrangement lasts until the page goes.
  }
}
