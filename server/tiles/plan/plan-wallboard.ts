import { createHash } from "node:crypto";
import { usesDays } from "../../../shared/filter/bind-filter.ts";
import { type Field, findField, findTable, zoneOf } from "../../../shared/model/model.ts";
import { type DataTile, isDataTile, type Tile } from "../../../shared/model/wallboard/tile.ts";
import { shownFields } from "../../../shared/model/wallboard/tile-needs.ts";
import { isRunningBucket } from "../../../shared/model/wallboard/trend-filter.ts";
import { gridOf, type WallboardDocument } from "../../../shared/model/wallboard/wallboard.ts";
import type { ShownField, ShownTile, ShownWallboard } from "../../../shared/protocol/frame.ts";
import { modelOf } from "../reader.ts";
import { type PlanContext, planTile } from "./plan-tile.ts";
import type { WallboardPlan } from "./wallboard-plan.ts";

/** A wallboard of a version, for the reader. */
export interface WallboardVersion {
  wallboard: string;
  version: number;
  document: WallboardDocument;
  /** Where its display hangs; null: as the wallboard says. */
  zone?: string | null;
}

/** Plans a wallboard for one reader. */
export function planWallboard(
  { wallboard, version, document, zone: own }: WallboardVersion,
  context: Omit<PlanContext, "zone">,
): WallboardPlan {
  const standard = document.zone ?? zoneOf(context.model);
  const zone = own ?? standard;
  const inZone = { ...context, zone };
  const tiles = document.tiles.filter(isDataTile).map((tile) => planTile(tile, inZone));
  const hidden = new Set(tiles.filter(({ state }) => state === "hidden").map(({ id }) => id));
  const board: ShownWallboard = {
    id: wallboard,
    name: document.name,
    version,
    grid: gridOf(document),
    zone,
    ...(zone !== standard && { statesZone: true }),
    theme: document.theme,
    tiles: document.tiles.map((tile) => shownTile(tile, hidden.has(tile.id), inZone)),
  };
  const readableTiles = document.tiles.filter((tile) => isDataTile(tile) && !hidden.has(tile.id));
  const tables = [...new Set((readableTiles as DataTile[]).map(({ table }) => table))].filter(
    (name) => findTable(context.model, name),
  );
  const modelVersion = context.model.version;
  const plan = { wallboard, version, modelVersion, board, tables, tiles };
  const text = JSON.stringify([context.reader.kind, plan]);
  return { key: createHash("sha256").update(text).digest("base64url").slice(0, 24), ...plan };
}

function shownTile(tile: Tile, isHidden: boolean, context: PlanContext): ShownTile {
  const base = {
    id: tile.id,
    kind: tile.kind,
    layout: tile.layout,
    zone: tile.zone ?? context.zone,
  };
  if (!isDataTile(tile)) return { ...base, ...plainParts(tile) };
  const table = findTable(modelOf(context.reader, context.model), tile.table);
  if (isHidden) return { ...base, title: "" };
  const title = tile.title ?? table?.label ?? "";
  if (!table) return { ...base, title };
  const field = (name: string | undefined) => {
    const found = name === undefined ? undefined : findField(table, name);
    return found && shownField(found);
  };
  const { measure, unit, decimals, qr } = tile;
  const measured = measure.op === "distinct" ? undefined : field(measure.field);
  const group = "group" in tile ? field(tile.group) : undefined;
  const rows = tile.kind === "queue" || tile.kind === "activity" ? tile : null;
  const shownColumns = rows && shownFields(rows, table.display).map(field);
  return {
    ...base,
    title,
    ...(context.reader.kind === "person" || qr ? { address: addressOf(tile, base.zone) } : {}),
    ...(qr && { qr }),
    ...(unit !== undefined && { unit }),
    ...(decimals !== undefined && { decimals }),
    ...("target" in tile && tile.target !== undefined && { target: tile.target }),
    ...("better" in tile && tile.better !== undefined && { better: tile.better }),
    ...("shape" in tile && { shape: tile.shape }),
    ...bucketPart(tile),
    ...(measured && { measured }),
    ...(group && { group }),
    ...(shownColumns && { fields: shownColumns.filter((one) => one !== undefined) }),
  };
}

function plainParts(tile: Exclude<Tile, DataTile>) {
  const { title = "" } = tile;
  if (tile.kind === "text") return { title, text: tile.text };
  const { hours, seconds, date } = tile;
  return {
    title,
    hours,
    ...(seconds !== undefined && { seconds }),
    ...(date !== undefined && { date }),
  };
}

function bucketPart(tile: DataTile) {
  if (tile.kind === "trend") return { bucket: tile.time.bucket };
  if (tile.kind !== "number" || !tile.trend) return {};
  const isRunning = isRunningBucket(tile.filter ?? null, tile.trend);
  const compared = isRunning ? ("value" as const) : ("trend" as const);
  return { bucket: tile.trend.bucket, compared };
}

/** Where the console shows exactly these records; by the tile's days if its filter names today. */
function addressOf({ table, filter }: DataTile, zone: string): string {
  const path = `/t/${encodeURIComponent(table)}`;
  if (!filter) return path;
  const address = `${path}?filter=${encodeURIComponent(JSON.stringify(filter))}`;
  return usesDays(filter) ? `${address}&zone=${encodeURIComponent(zone)}` : address;
}

function shownField({ name, label, type, scale, currency, options }: Field): ShownField {
  return {
    name,
    label,
    type,
    ...(scale !== undefined && { scale }),
    ...(currency !== undefined && { currency }),
    ...(options && {
      options: options.map(({ value, label, colour }) => ({
        value,
        ...(label !== undefined && { label }),
        ...(colour !== undefined && { colour }),
      })),
    }),
  };
}
