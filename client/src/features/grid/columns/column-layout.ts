import type { Table } from "../../../../../shared/model/model.ts";

/** How one person has arranged the columns of one table. Widths in pixels. */
export interface ColumnLayout {
  order: string[];
  hidden: string[];
  pinned: string[];
  widths: Record<string, number>;
}

/** One column as the grid shall show it. */
export interface PlacedColumn {
  field: string;
  hidden: boolean;
  pinned: boolean;
  width: number | undefined;
}

/**
 * The columns of a table in the person's order. A kept layout outlives the model: columns that are
 * gone are dropped, new ones are placed at the end and stay hidden unless the model shows them first.
 */
export function placeColumns(
  table: Table,
  visible: readonly string[],
  layout: ColumnLayout | null,
): PlacedColumn[] {
  const names = defaultOrder(table).filter((name) => visible.includes(name));
  const kept = layout?.order.filter((name) => names.includes(name)) ?? [];
  const order = [...kept, ...names.filter((name) => !kept.includes(name))];
  const pinned = layout?.pinned ?? [table.columns[0] ?? table.display];
  return order.map((field) => ({
    field,
    hidden: kept.includes(field)
      ? (layout?.hidden.includes(field) ?? false)
      : !table.columns.includes(field),
    pinned: pinned.includes(field),
    width: layout?.widths[field] ?? table.fields.find((f) => f.name === field)?.width,
  }));
}

function defaultOrder(table: Table): string[] {
  const rest = table.fields.map((field) => field.name);
  return [...table.columns, ...rest.filter((name) => !table.columns.includes(name))];
}

/** What a kept text says, or null where it says nothing usable (another version, a person's hand). */
export function parseLayout(text: string | null): ColumnLayout | null {
  try {
    const found = JSON.parse(text ?? "null") as Partial<ColumnLayout> | null;
    if (!found || !isNames(found.order) || !isNames(found.hidden) || !isNames(found.pinned)) {
      return null;
    }
    return {
      order: found.order,
      hidden: found.hidden,
      pinned: found.pinned,
      widths: numbersOf(found.widths),
    };
  } catch {
    return null;
  }
}

function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}

function numbersOf(value: unknown): Record<string, number> {
  const pairs = Object.entries((value ?? {}) as Record<string, unknown>);
  return Object.fromEntries(
    pairs.filter((pair): pair is [string, number] => typeof pair[1] === "number"),
  );
}
