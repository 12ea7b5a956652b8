import type { Field, Table } from "../../../../../shared/model/model.ts";
import {
  type DataTile,
  isDataTile,
  type Tile,
  type TileKind,
} from "../../../../../shared/model/wallboard/tile.ts";
import type { Layout } from "../../../../../shared/model/wallboard/tile-parts.ts";
import { workOf } from "../../../../../shared/model/work-of.ts";
import { wallboardsMessages as messages } from "../../../messages/en/wallboards.ts";
import { groupFields, timeFields } from "./tile-fields.ts";

/** A table with the fields that the wallboard's author may see. */
export interface Source {
  table: Table;
  fields: readonly Field[];
}

export const kindLabels: Record<TileKind, { label: () => string; hint: () => string }> = {
  number: { label: messages.number, hint: messages.numberHint },
  trend: { label: messages.trend, hint: messages.trendHint },
  breakdown: { label: messages.breakdown, hint: messages.breakdownHint },
  queue: { label: messages.queue, hint: messages.queueHint },
  lights: { label: messages.lights, hint: messages.lightsHint },
  progress: { label: messages.progress, hint: messages.progressHint },
  activity: { label: messages.activity, hint: messages.activityHint },
  clock: { label: messages.clock, hint: messages.clockHint },
  text: { label: messages.text, hint: messages.textHint },
};

/** The initial size of a tile, in cells of a wallboard of 12 by 8. */
export const firstSize: Record<TileKind, { w: number; h: number }> = {
  number: { w: 3, h: 2 },
  trend: { w: 6, h: 3 },
  breakdown: { w: 4, h: 3 },
  queue: { w: 6, h: 4 },
  lights: { w: 6, h: 2 },
  progress: { w: 3, h: 2 },
  activity: { w: 4, h: 4 },
  clock: { w: 3, h: 2 },
  text: { w: 4, h: 1 },
};

/** The kinds of tiles that these tables allow: a trend needs a date. */
export function possibleKinds(sources: readonly Source[]): TileKind[] {
  return (Object.keys(kindLabels) as TileKind[]).filter(
    (kind) => kind === "clock" || kind === "text" || sourceFor(kind, sources) !== undefined,
  );
}

/** A tile with useful settings: the open records of the first table that allows its kind. */
export function newTile(
  kind: TileKind,
  id: string,
  layout: Layout,
  sources: readonly Source[],
): Tile | null {
  if (kind === "clock") return { id, layout, kind, hours: "24", date: true };
  if (kind === "text") return { id, layout, kind, text: messages.text() };
  const source = sourceFor(kind, sources);
  return source ? tileFor(kind, { id, layout }, source) : null;
}

/** Converts a tile to another kind, with the settings that both have. Null if the table does not allow it. */
export function convertKind(tile: Tile, kind: TileKind, sources: readonly Source[]): Tile | null {
  if (tile.kind === kind) return tile;
  const own = isDataTile(tile) ? sources.filter(({ table }) => table.name === tile.table) : [];
  const made = newTile(kind, tile.id, tile.layout, [...own, ...sources]);
  if (!made) return null;
  const merged = { ...made, ...pick(tile, ["title", "zone"]) };
  if (!isDataTile(tile) || !isDataTile(merged) || merged.table !== tile.table)
    return merged as Tile;
  const shared = ["filter", "measure", "thresholds", "expectEvery", "suppressBelow", "qr", "unit"];
  return { ...merged, filter: undefined, ...pick(tile, [...shared, "decimals"]) } as Tile;
}

/** Converts a tile to another table. Settings that name fields of the old table are lost. */
export function convertTable(tile: DataTile, source: Source): Tile | null {
  if (!supportsKind(tile.kind, source)) return null;
  const merged = pick(tile, ["title", "zone", "thresholds", "qr", "suppressBelow", "expectEvery"]);
  const made = tileFor(tile.kind, { id: tile.id, layout: tile.layout }, source);
  return { ...made, filter: undefined, ...merged } as Tile;
}

function sourceFor(kind: TileKind, sources: readonly Source[]): Source | undefined {
  const fitting = sources.filter((source) => supportsKind(kind, source));
  return fitting.find(({ table, fields }) => workFieldsOf(table, fields)) ?? fitting[0];
}

function supportsKind(kind: TileKind, { fields }: Source): boolean {
  if (kind === "trend") return timeFields(fields).length > 0;
  if (kind === "breakdown" || kind === "lights") return groupFields(fields).length > 0;
  return true;
}

function workFieldsOf(table: Table, fields: readonly Field[]) {
  return workOf(
    table,
    fields.map(({ name }) => name),
  );
}

function tileFor(
  kind: DataTile["kind"],
  own: { id: string; layout: Layout },
  { table, fields }: Source,
): Tile {
  const work = workFieldsOf(table, fields);
  const base = {
    ...own,
    table: table.name,
    measure: { op: "count" as const },
    ...(work && { filter: work.open }),
  };
  const group = (work?.level ?? work?.state ?? groupFields(fields)[0])?.name ?? "";
  const time = {
    field: (work?.started ?? timeFields(fields)[0])?.name ?? "",
    bucket: "day" as const,
  };
  switch (kind) {
    case "number":
      return { ...base, kind };
    case "trend": {
      const { filter: _open, ...everything } = base;
      return { ...everything, kind, time: { ...time, count: 14 }, limit: 5 };
    }
    case "breakdown":
      return { ...base, kind, group, shape: "bars", limit: 8 };
    case "queue":
      return { ...base, kind, limit: 10, fields: queueFields(table, fields) };
    case "lights":
      return { ...base, kind, group, limit: 24 };
    case "progress": {
      const { filter, ...everything } = base;
      return filter
        ? { ...everything, kind, filter: { not: filter }, of: {} }
        : { ...everything, kind, target: 100 };
    }
    case "activity": {
      const { filter: _open, ...everything } = base;
      return { ...everything, kind, limit: 10, people: true };
    }
  }
}

/** The initial fields of a queue: the display field and the first visible columns. */
function queueFields(table: Table, fields: readonly Field[]): string[] {
  const visible = new Set(fields.map(({ name }) => name));
  return [...new Set([table.display, ...table.columns])]
    .filter((name) => visible.has(name))
    .slice(0, 4);
}

function pick(tile: Tile, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(tile).filter(([name]) => names.includes(name)));
}
