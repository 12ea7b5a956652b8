import type { ValueKind } from "../../../../../shared/filter/filter.ts";
import { isOrdered } from "../../../../../shared/filter/ordering.ts";
import { isTemporal } from "../../../../../shared/filter/value-kinds.ts";
import { type FieldType, kindOfType, traitsOf } from "../../../../../shared/model/field-types.ts";
import type { Field, Table } from "../../../../../shared/model/model.ts";
import { isGroupable, isMeasurable } from "../../../../../shared/model/view/summary-ops.ts";
import type { MeasureOp } from "../../../../../shared/model/wallboard/tile-parts.ts";

/** The fields that each setting of a tile allows, as the server validates them. */

function ofKinds(fields: readonly Field[], fits: (kind: ValueKind) => boolean): Field[] {
  return fields.filter(({ type }) => fits(kindOfType[type]));
}

/** Types in the order of how few distinct values their fields usually have. */
const byFewValues: readonly FieldType[] = ["select", "boolean", "person", "link", "text"];

/** Fields to group by, those with few values first. */
export function groupFields(fields: readonly Field[]): Field[] {
  const rank = ({ type }: Field) =>
    byFewValues.includes(type) ? byFewValues.indexOf(type) : byFewValues.length;
  const found = ofKinds(fields, (kind) => isGroupable(kind, undefined));
  return found.filter(({ type }) => !traitsOf(type).hasLines).toSorted((a, b) => rank(a) - rank(b));
}

export function timeFields(fields: readonly Field[]): Field[] {
  return ofKinds(fields, isTemporal);
}

/** Fields that a measure can be computed from; none for `count`. */
export function measuredFields(op: MeasureOp, fields: readonly Field[]): Field[] {
  return ofKinds(fields, (kind) => isMeasurable(op, kind));
}

/** Fields to sort by. */
export function orderFields(fields: readonly Field[]): Field[] {
  return ofKinds(fields, isOrdered);
}

/** The visible fields of a table, in the model's order. */
export function visibleFields(table: Table, visible: readonly string[]): Field[] {
  return table.fields.filter(({ name }) => visible.includes(name));
}
