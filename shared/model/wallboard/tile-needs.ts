import { fieldsOf } from "../../filter/bind-filter.ts";
import { readSortKey } from "../../filter/sort-key.ts";
import { findTable, type Model } from "../model.ts";
import type { DataTile } from "./tile.ts";
import { orderTerms } from "./tile-parts.ts";

/** What a tile reads: users who may not read all of this do not see the tile. */
interface TileNeeds {
  table: string;
  fields: string[];
}

/** The table and the fields that a tile reads, by their names in the tile. */
export function tileNeeds(tile: DataTile, model: Model): TileNeeds {
  const table = findTable(model, tile.table);
  const named = new Set<string>();
  const filters = [tile.filter, tile.kind === "progress" ? tile.of?.filter : null];
  for (const filter of filters) {
    if (filter) for (const name of fieldsOf(filter)) named.add(name);
  }
  for (const name of ownFields(tile)) named.add(name);
  if (table && showsRecords(tile)) named.add(table.display);
  named.delete("id");
  return { table: tile.table, fields: [...named] };
}

/** The fields of a table that a queue or an activity feed shows of a record. */
export function shownFields(
  tile: Extract<DataTile, { kind: "queue" | "activity" }>,
  display: string,
) {
  return tile.fields ?? [display];
}

function showsRecords(tile: DataTile): boolean {
  return (tile.kind === "queue" || tile.kind === "activity") && tile.fields === undefined;
}

function ownFields(tile: DataTile): string[] {
  const measured = tile.measure.field === undefined ? [] : [tile.measure.field];
  switch (tile.kind) {
    case "number":
      return [...measured, ...(tile.trend ? [tile.trend.field] : [])];
    case "trend":
      return [...measured, tile.time.field, ...(tile.group === undefined ? [] : [tile.group])];
    case "breakdown":
    case "lights":
      return [...measured, tile.group];
    case "queue":
      return [...measured, ...orderTerms(tile.order).map(fieldOfTerm), ...(tile.fields ?? [])];
    case "activity":
      return [...measured, ...(tile.fields ?? [])];
    case "progress":
      return measured;
  }
}

function fieldOfTerm(term: string): string {
  return readSortKey(term).field;
}
