import {
  type Derivation,
  type Field,
  findField,
  type Table,
} from "../../../../../shared/model/model.ts";
import { isReadOnly } from "../../../../../shared/model/recorded.ts";
import { modelMessages as messages } from "../../../messages/en/model.ts";

/** The maximum number of combinations to list. */
const COMBINATIONS_MAX = 120;

/** The fields that a field can be derived from: those with a list of possible values. */
export function derivationSources(field: Field, table: Table): Field[] {
  return table.fields.filter(
    (one) =>
      one.name !== field.name &&
      !isReadOnly(one) &&
      (one.type === "select" || one.type === "boolean"),
  );
}

export interface Combination {
  /** The key in `Derivation.values`. */
  key: string;
  label: string;
}

/** All combinations of the source fields' values, and further ones declared in a model file. */
export function combinationsOf({ fields, values }: Derivation, table: Table): Combination[] {
  if (fields.length === 0) return [];
  const choices = fields.map((name) => choicesOf(findField(table, name)));
  const size = choices.reduce((product, { length }) => product * length, 1);
  const listed = size > COMBINATIONS_MAX ? [] : product(choices);
  const known = new Set(listed.map(({ key }) => key));
  const others = Object.keys(values).filter((key) => !known.has(key));
  return [...listed, ...others.map((key) => ({ key, label: key.replaceAll("|", " · ") }))];
}

function choicesOf(field: Field | undefined): Combination[] {
  if (field?.type === "boolean") {
    return [
      { key: "true", label: messages.fieldYes({ field: field.label }) },
      { key: "false", label: messages.fieldNo({ field: field.label }) },
    ];
  }
  return (field?.options ?? []).map(({ value, label }) => ({ key: value, label: label ?? value }));
}

function product([first = [], ...rest]: readonly Combination[][]): Combination[] {
  if (rest.length === 0) return first;
  const others = product(rest);
  return first.flatMap(({ key, label }) =>
    others.map((other) => ({ key: `${key}|${other.key}`, label: `${label} · ${other.label}` })),
  );
}
