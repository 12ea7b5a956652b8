import type { Filter } from "../../filter/filter.ts";
import { renameFields } from "../../filter/rename-fields.ts";
import { readSortKey, writeSortKey } from "../../filter/sort-key.ts";
import { followOptions, migrateRowFilter } from "../migrate-filter.ts";
import { idOfField, idOfTable, type Model } from "../model.ts";
import { fieldAfter, tablePair } from "../names-after.ts";
import { idOfRemoved, removedName } from "../removed-names.ts";
import { isDataTile, type Tile } from "./tile.ts";
import { orderTerms } from "./tile-parts.ts";
import type { WallboardDocument, WallboardScopes } from "./wallboard.ts";

/**
 * Migrates a wallboard to the next model: its tiles read the same under the new names. A tile that reads something
 * removed keeps its settings but can no longer be evaluated, until that is restored.
 */
export function migrateWallboard(
  document: WallboardDocument,
  from: Model,
  to: Model,
): WallboardDocument {
  return { ...document, tiles: document.tiles.map((tile) => migrateTile(tile, from, to)) };
}

/** What displays may see of tables. Removed fields are dropped, because a later field of the same name is a different one. */
export function migrateScopes(scopes: WallboardScopes, from: Model, to: Model): WallboardScopes {
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
  if (!isDataTile(tile)) return tile;
  const table = nameAfter(tile.table, from.tables, to.tables, idOfTable);
  const found = tablePair(tile.table, from, to);
  if (!found) return table === tile.table ? tile : { ...tile, table };
  const { before, after } = found;
  const nameOf = (name: string) => nameAfter(name, before.fields, after.fields, idOfField);
  const inTerm = (term: string) => {
    const { field, descending } = readSortKey(term);
    return writeSortKey({ field: nameOf(field), descending });
  };
  const filterAfter = (one: Filter) => renameFields(followOptions(one, before, after), nameOf);
  const { measure, filter } = tile;
  return {
    ...tile,
    table,
    ...(filter && { filter: filterAfter(filter) }),
    measure: { ...measure, ...(measure.field !== undefined && { field: nameOf(measure.field) }) },
    ...("group" in tile && tile.group !== undefined && { group: nameOf(tile.group) }),
    ...("fields" in tile && tile.fields && { fields: tile.fields.map(nameOf) }),
    ...("time" in tile && { time: { ...tile.time, field: nameOf(tile.time.field) } }),
    ...("trend" in tile &&
      tile.trend && { trend: { ...tile.trend, field: nameOf(tile.trend.field) } }),
    ...("of" in tile && tile.of?.filter && { of: { filter: filterAfter(tile.of.filter) } }),
    ...(tile.kind === "queue" && tile.order && { order: orderTerms(tile.order).map(inTerm) }),
  } as Tile;
}

/** Follows a name that nothing had. No table or field has such a name: names have no comma. */
const UNKNOWN = ", unknown";
/** The marked name must be as long as names may be. */
const UNKNOWN_MAX_LENGTH = 60;

/**
 * The next name of a table or field. Something removed is named by its id, so that nothing else is read that takes its
 * name, until it is restored. A name that nothing had, as in tiles stored by older builds, never becomes that of anything.
 */
function nameAfter<Part extends { name: string }>(
  name: string,
  before: readonly Part[],
  after: readonly Part[],
  idOf: (part: Part) => string,
): string {
  const part = before.find((one) => one.name === name);
  const id = part ? idOf(part) : idOfRemoved(name);
  const next = after.find((one) => idOf(one) === id);
  if (next) return next.name;
  if (part) return removedName(idOf(part));
  const isTaken = after.some((one) => one.name === name);
  return isTaken ? `${name.slice(0, UNKNOWN_MAX_LENGTH)}${UNKNOWN}` : name;
}
