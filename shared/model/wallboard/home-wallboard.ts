import type { Filter } from "../../filter/filter.ts";
import { findField, type Table } from "../model.ts";
import { type Work, workOf } from "../work-of.ts";
import type { Tile } from "./tile.ts";
import type { Layout } from "./tile-parts.ts";
import type { WallboardDocument } from "./wallboard.ts";

/**
 * The dashboard of a model, derived from its declarations and evaluated in the user's scope. The dashboard
 * screen arranges it; it finds a tile by the last part of its id.
 */

/** The reserved id of the wallboard behind `/`. */
export const HOME_WALLBOARD = "home";

/** More tables with work than this would make the dashboard unreadable. */
const WORK_TABLES_MAX = 2;
const PLAIN_TABLES_MAX = 6;
/** An open record of this age is listed, whatever its priority. */
const STALE_AFTER = "7d";
const QUEUE_ROWS = 8;
const TREND_DAYS = 14;

/** A table with the fields of it that the reader may see. */
export interface VisibleTable {
  table: Table;
  visible: readonly string[];
}

/** The purpose of each tile of a home wallboard; the last part of its id. */
const homeParts = [
  "open",
  "overdue",
  "unassigned",
  "stale",
  "began",
  "done",
  "level",
  "mine",
  "all",
] as const;
export type HomePart = (typeof homeParts)[number];

/** The purpose of a tile of the dashboard, by its id; null for a tile that a customer added. */
export function homePartOf(id: string): HomePart | null {
  return homeParts.find((part) => id === part || id.endsWith(`-${part}`)) ?? null;
}

/**
 * The wallboard: tables with work first; a model without any has a count per table. `zone` is where the user's
 * days begin.
 */
export function homeWallboard(seen: readonly VisibleTable[], zone = "UTC"): WallboardDocument {
  const keyed = withKeys(seen);
  const working = keyed.flatMap(({ table, visible, key }) => {
    const work = workOf(table, visible);
    return work ? [{ table, visible, key, work }] : [];
  });
  const parts = working.slice(0, WORK_TABLES_MAX).flatMap(workTiles);
  const plain = working.length > 0 ? [] : keyed.slice(0, PLAIN_TABLES_MAX).map(countTile);
  const tiles = [...parts, ...plain].map((tile, index) => ({ ...tile, layout: place(index) }));
  return { name: "Dashboard", tiles, grid: { columns: 12, rows: 8 }, zone, theme: "dark" };
}

type Placeless<T> = T extends unknown ? Omit<T, "layout"> : never;

interface KeyedTable extends VisibleTable {
  /** The first part of the ids of its tiles; no two tables have the same. */
  key: string;
}

/** Tile ids are plain letters; a table may have any name, such as one in another script. */
function withKeys(seen: readonly VisibleTable[]): KeyedTable[] {
  const taken = new Set<string>();
  return seen.map((one, index) => {
    const slug = one.table.name.replaceAll(/[^A-Za-z0-9_]+/g, "-").slice(0, 40) || "table";
    // no slug holds two hyphens in a row
    const key = taken.has(slug) ? `${slug}--${index}` : slug;
    taken.add(key);
    return { ...one, key };
  });
}

function workTiles({ table, visible, key, work }: KeyedTable & { work: Work }): Placeless<Tile>[] {
  const { open, person, due, started, done, level } = work;
  const tile = (part: HomePart, title: string, filter: Filter | null, more: object = {}) =>
    ({
      id: `${key}-${part}`,
      kind: "number",
      table: table.name,
      title,
      ...(filter && { filter }),
      measure: { op: "count" },
      ...more,
    }) as Placeless<Tile>;
  const few = { better: "less" };
  const records = table.label.toLowerCase();
  const late: Filter | null = due
    ? { field: due.name, op: "lt", value: due.type === "date" ? "$today" : "$now" }
    : null;
  const unassigned: Filter | null = person
    ? { field: person.name, op: "isEmpty", value: true }
    : null;
  const rows = { kind: "queue", limit: QUEUE_ROWS, fields: rowFields(table, visible, work) };
  const order = [level?.name, due?.name, started?.name].filter((name) => name !== undefined);
  const inOrder = { ...rows, ...(order.length > 0 && { order }) };
  const found: (Placeless<Tile> | null | undefined)[] = [
    tile("open", `Open ${records}`, open, few),
    late && tile("overdue", "Overdue", both(open, late), { ...inOrder, order: [due?.name] }),
    unassigned &&
      tile("unassigned", "Unassigned", both(open, unassigned), {
        ...inOrder,
        ...(started && { order: [started.name], fields: [...rows.fields, started.name] }),
      }),
    started &&
      tile("stale", "Over a week", olderThan(open, started.name), {
        ...inOrder,
        order: [started.name],
      }),
    started && tile("began", `${started.label} today`, since(started.name), byDay(started.name)),
    done &&
      tile("done", `${done.label} today`, since(done.name), {
        ...byDay(done.name),
        better: "more",
      }),
    level &&
      tile("level", `Open by ${level.label.toLowerCase()}`, open, {
        kind: "breakdown",
        group: level.name,
        shape: "bars",
        order: ["key"],
        limit: QUEUE_ROWS,
      }),
    person &&
      tile("mine", "My work", both(open, { field: person.name, op: "eq", value: "$me" }), {
        ...inOrder,
        fields: rows.fields.filter((name) => name !== person.name),
      }),
  ];
  return found.filter((one) => one !== null && one !== undefined);
}

function countTile({ table, key }: KeyedTable): Placeless<Tile> {
  return {
    id: `${key}-all`,
    kind: "number",
    table: table.name,
    title: table.label,
    measure: { op: "count" },
  };
}

/** The fields shown of a record: its name, state, assignee and due date. */
function rowFields(table: Table, visible: readonly string[], work: Work): string[] {
  const { state, level, person, due } = work;
  const title = table.columns.find((name) => {
    const field = findField(table, name);
    return field?.type === "text" && !field.automatic && name !== table.display;
  });
  const names = [table.display, title, level?.name, state.name, person?.name, due?.name];
  return [...new Set(names)].filter(
    (name) => name !== undefined && visible.includes(name),
  ) as string[];
}

function byDay(field: string): object {
  return { trend: { field, bucket: "day", count: TREND_DAYS } };
}

function since(field: string): Filter {
  return { field, op: "gte", value: "$today" };
}

function olderThan(open: Filter, field: string): Filter {
  return both(open, { field, op: "lt", value: { ago: STALE_AFTER } });
}

function both(a: Filter, b: Filter): Filter {
  return { and: [a, b] };
}

/** The screen arranges its cards by purpose; a wallboard needs positions nevertheless. */
function place(index: number): Layout {
  return { x: (index % 4) * 3, y: Math.floor(index / 4) * 2, w: 3, h: 2 };
}
