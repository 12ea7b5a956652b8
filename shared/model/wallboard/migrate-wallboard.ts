import type { Filter } from "../../filter/filter.ts";
import { renameFields } from "../../filter/rename-fields.ts";
import { readSortKey, writeSortKey } from "../../filter/sort-key.ts";
import { migrateRowFilter } from "../migrate-filter.ts";
import type { Model, Table } from "../model.ts";
import { fieldAfter, tablePair } from "../names-after.ts";
import { isDataTile, type Tile } from "./tile.ts";
import { orderTerms } from "./tile-parts.ts";
import type { WallboardDocument } from "./wallboard.ts";

/**
 * Migrates a wallboard to the next model: its tiles read the same under the new names. A tile that reads something
 * removed keeps its settings but can no longer be evaluated.
 */
export function migrateWallboard(
  document: WallboardDocument,
  from: Model,
  to: Model,
): WallboardDocument {
  return { ...document, tiles: document.tiles.map((tile) => migrateTile(tile, from, to)) };
}

/** What displays may see of tables. Removed fields are dropped, because a later field of the same name is a different one. */
export function migrateScopes<Scope extends { filter: Filter | null; fields: string[] }>(
  scopes: Readonly<Record<string, Scope>>,
  from: Model,
  to: Model,
): Record<string, Scope> {
  const entries = Object.entries(scopes).flatMap(([name, scope]) => {
    const found = tablePair(name, from, to);
    if (!found) return [];
    const { before, after } = found;
    const fields = scope.fields.flatMap((field) => fieldAfter(field, before, after) ?? []);
    const filter = scope.filter && migrateRowFilter(scope.filter, before, after);
    return [[after.name, { ...scope, filter, fields }]];
  });
  return Object.fromEntries(entries);
}

function migrateTile(tile: Tile, from: Model, to: Model): Tile {
  const found = isDataTile(tile) ? tablePair(tile.table, from, to) : null;
  if (!found || !isDataTile(tile)) return tile;
  const { before, after } = found;
  const nameOf = renamer(before, after);
  const inTerm = (term: string) => {
    const { field, descending } = readSortKey(term);
    return writeSortKey({ field: nameOf(field), descending });
  };
  const { measure, filter } = tile;
  return {
    ...tile,
    table: after.name,
    ...(filter && { filter: renameFields(filter, nameOf) }),
    measure: { ...measure, ...(measure.field !== undefined && { field: nameOf(measure.field) }) },
    ...("group" in tile && tile.group !== undefined && { group: nameOf(tile.group) }),
    ...("fields" in tile && tile.fields && { fields: tile.fields.map(nameOf) }),
    ...("time" in tile && { time: { ...tile.time, field: nameOf(tile.time.field) } }),
    ...("trend" in tile &&
      tile.trend && { trend: { ...tile.trend, field: nameOf(tile.trend.field) } }),
    ...("of" in tile &&
      tile.of?.filter && { of: { filter: renameFields(tile.of.filter, nameOf) } }),
    ...(tile.kind === "queue" && tile.order && { order: orderTerms(tile.order).map(inTerm) }),
  } as Tile;
}

function renamer(before: Table, after: Table): (name: string) => string {
  return (name) => fieldAfter(name, before, after) ?? name;
}
