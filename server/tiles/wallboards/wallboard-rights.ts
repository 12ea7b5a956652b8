import { explain } from "../../../shared/error-texts/explain.ts";
import type { Model, Table } from "../../../shared/model/model.ts";
import { findField, findTable } from "../../../shared/model/model.ts";
import { checkTile } from "../../../shared/model/wallboard/check-tile.ts";
import { isDataTile, type Tile } from "../../../shared/model/wallboard/tile.ts";
import { tileNeeds } from "../../../shared/model/wallboard/tile-needs.ts";
import type {
  WallboardDocument,
  WallboardScopes,
} from "../../../shared/model/wallboard/wallboard.ts";
import { implies } from "../../../shared/policy/implies.ts";
import { grantOn } from "../../../shared/policy/role.ts";
import { type Subject, scopeOf } from "../../../shared/policy/scope.ts";
import { type FieldProblem, Refusal } from "../../../shared/protocol/errors.ts";
import { visibleModel } from "../../policy/visible-model.ts";
import type { Wallboard } from "./stored-wallboard.ts";

/** Rights on wallboards: users who may not read a field may neither use it in a tile nor see that a tile does. */

/** Whether a tile needs something existing that the user may not read. */
export function isHiddenTile(tile: Tile, model: Model, subject: Subject): boolean {
  if (!isDataTile(tile)) return false;
  const table = findTable(model, tile.table);
  if (!table) return false;
  const scope = scopeOf(subject, table);
  if (!scope || (tile.kind === "activity" && !grantOn(subject.role, table).history)) return true;
  return tileNeeds(tile, model).fields.some((name) => !isReadable(name, table, scope.fields));
}

/** Refuses tiles that can't be evaluated, by tile; hidden parts are answered like missing ones. */
export function requireValidTiles(tiles: readonly Tile[], model: Model, subject: Subject): void {
  const visible = visibleModel(model, subject);
  const entries = tiles.flatMap((tile) =>
    checkTile(tile, visible).map(({ path, ...explanation }): [string, FieldProblem] => [
      ["tiles", tile.id, ...path].join("."),
      { rule: "tile", ...explanation },
    ]),
  );
  if (entries.length === 0) return;
  const [, first] = entries[0] ?? [];
  throw new Refusal("validation_failed", { fields: Object.fromEntries(entries) }, first);
}

/**
 * What displays may see of a wallboard that this user publishes: of each table that its tiles read, and of those
 * that their links point to (for labels of linked records), the user's own scope, bound now. Refuses a wallboard
 * with tiles that the user may not read.
 */
export function scopesToPublish(
  document: WallboardDocument,
  model: Model,
  subject: Subject,
): WallboardScopes {
  if (document.tiles.some((tile) => isHiddenTile(tile, model, subject))) {
    throw new Refusal("forbidden", { right: "read" }, explain("wallboard.hiddenTiles"));
  }
  requireValidTiles(document.tiles, model, subject);
  const scopes: WallboardScopes = {};
  for (const name of tablesOf(document, model)) {
    const table = findTable(model, name);
    const scope = table && scopeOf(subject, table);
    if (scope) scopes[name] = { filter: scope.filter, fields: [...scope.fields] };
  }
  return scopes;
}

function tablesOf({ tiles }: WallboardDocument, model: Model): Set<string> {
  const names = new Set<string>();
  for (const tile of tiles.filter(isDataTile)) {
    names.add(tile.table);
    const table = findTable(model, tile.table);
    for (const field of table?.fields ?? []) {
      if (field.target !== undefined) names.add(field.target);
    }
  }
  return names;
}

/**
 * Whether a user may read everything that displays show of a published wallboard: each tile, and in each table no
 * records beyond their own scope. Assigning a wallboard to a display shows it to everybody there.
 */
export function canReadWallboard(
  { document, scopes }: NonNullable<Wallboard["published"]>,
  model: Model,
  me: Subject,
): boolean {
  const tiles = document.tiles.filter(isDataTile);
  if (tiles.some((tile) => isHiddenTile(tile, model, me))) return false;
  const shown = tiles.flatMap((tile) => {
    const { table, fields } = tileNeeds(tile, model);
    return [{ table, fields }, ...labelsOf(table, fields, model)];
  });
  return shown.every(({ table: name, fields }) => {
    const [table, published] = [findTable(model, name), scopes[name]];
    if (!table || !published) return true;
    const own = scopeOf(me, table);
    const rows = !own?.filter || (published.filter && implies(published.filter, own.filter));
    return own !== null && rows && fields.every((field) => isReadable(field, table, own.fields));
  });
}

/** Labels of linked records are read in their own table. */
function labelsOf(name: string, fields: readonly string[], model: Model) {
  const table = findTable(model, name);
  return fields.flatMap((field) => {
    const target = table && findField(table, field)?.target;
    const linked = target === undefined ? undefined : findTable(model, target);
    return linked ? [{ table: linked.name, fields: [linked.display] }] : [];
  });
}

function isReadable(name: string, table: Table, visible: readonly string[]): boolean {
  return findField(table, name) === undefined || visible.includes(name);
}
