import type { Filter, Json } from "../../shared/filter/filter.ts";

/**
 * What the compiler knows of tables. `watchfloor-client types` writes a `TableType` for each table of a model; from it the types
 * of records, edits, filters and orders follow, so that what the server would refuse does not compile. Where the model is not known
 * at compile time (`AnyTables`), every name is a text and every value is JSON.
 */
export interface TableType {
  /** What is read of a record. */
  values: object;
  /** Fields that a new record needs. */
  required: string;
  /** Fields that nobody sets, because the server computes or records them. */
  filled: string;
  /** The field of the state, which only transitions change; a new record may name it. */
  stateField: string;
  /** The names of the transitions. */
  transitions: string;
}
export type TableTypes = object & { [K in never]: TableType };
/** Used for tables of a model that is not known at compile time. */
export type AnyTables = Record<
  string,
  {
    values: Record<string, Json>;
    required: never;
    filled: never;
    stateField: never;
    transitions: string;
  }
>;

/** A whole number; beyond 2^53 as its digits. */
export type Integer = number | `${bigint}`;
/** A day, `2024-02-29`. */
export type Day = `${number}-${number}-${number}`;
/** An instant with its zone, `2024-02-29T12:00:00Z`. An edit and a filter take a `Date` as well. */
export type Instant = `${number}-${number}-${number}T${string}`;

export type ValuesOf<T> = T extends { values: infer V } ? V : never;
export type TransitionOf<T> = T extends { transitions: infer N extends string } ? N : string;

type NameIn<T, Part extends "required" | "filled" | "stateField"> = T extends {
  [K in Part]: infer N extends string;
}
  ? N
  : never;

/** A state of the table, as it was read. */
export type StateOf<T> = [NameIn<T, "stateField">] extends [never]
  ? string
  : NonNullable<ValuesOf<T>[NameIn<T, "stateField"> & keyof ValuesOf<T>]>;

/** A value as it may be set. */
type Given<V> = V | (Extract<V, Instant> extends never ? never : Date);
type GivenOf<V, Names extends keyof V> = { [K in Names]?: Given<V[K]> };

/** What an edit may set: everything but the state, and what the server fills. */
export type EditOf<T> = GivenOf<
  ValuesOf<T>,
  Exclude<keyof ValuesOf<T>, NameIn<T, "filled"> | NameIn<T, "stateField">>
>;

/** What a new record may hold, and has to. */
export type CreateOf<T> = GivenOf<
  ValuesOf<T>,
  Exclude<keyof ValuesOf<T>, NameIn<T, "filled"> | NameIn<T, "required">>
> & {
  [K in NameIn<T, "required"> & keyof ValuesOf<T>]: Given<NonNullable<ValuesOf<T>[K]>>;
};

/** Which records, and in which order: `sort` names fields, with `-` before descending ones. */
export interface View<V = Record<string, Json>> {
  filter?: FilterOf<V>;
  sort?: readonly SortOf<V>[];
  search?: string;
}

type Names<V> = (keyof V & string) | "id";
type SortOf<V> = Names<V> | `-${Names<V>}`;

/** A filter by the fields of a table, with the operators and values of each (docs/guides/filters.md). */
export type FilterOf<V> = string extends keyof V ? Filter : FilterBy<V>;
type FilterBy<V> =
  | { and: FilterBy<V>[] }
  | { or: FilterBy<V>[] }
  | { not: FilterBy<V> }
  | { [K in keyof V & string]: ComparisonOf<V, K, NonNullable<V[K]>> }[keyof V & string]
  | ComparisonOf<V, "id", string>;

type Equality = "eq" | "ne";
type Order = "lt" | "lte" | "gt" | "gte";
type Search = "contains" | "startsWith";

/** The value of a field, of another field, or of a variable. */
type Operand<V, T> =
  | Given<T>
  | null
  | { field: keyof V & string }
  | `$me.${string}`
  | (T extends string ? "$me" | { text: string } : never)
  | (T extends Day | Instant ? "$now" | "$today" | { ago: string } : never);

type IsEmpty<K> = { field: K; op: "isEmpty"; value?: boolean };

type ComparisonOf<V, K, T> = IsEmpty<K> | ([Json] extends [T] ? OfJson<K> : OfValue<V, K, T>);
type OfJson<K> = { field: K; op: Equality; value: Json };
type OfValue<V, K, T> = [T] extends [readonly (infer Item)[]]
  ? OfList<V, K, T, Item>
  : [T] extends [boolean]
    ? { field: K; op: Equality; value: Operand<V, T> } | OneOf<V, K, T>
    : OfOrdered<V, K, T>;
type OfList<V, K, T, Item> =
  | { field: K; op: Equality; value: T | null | { field: keyof V & string } }
  | { field: K; op: "contains"; value: Operand<V, Item> };
type OfOrdered<V, K, T> =
  | { field: K; op: Equality | Order; value: Operand<V, T> }
  | { field: K; op: "between"; value: readonly [Operand<V, T>, Operand<V, T>] }
  | OneOf<V, K, T>
  | ([T] extends [Day | Instant | Integer] ? never : OfText<K, T>);
type OfText<K, T> = [T] extends [string] ? { field: K; op: Search; value: string } : never;
type OneOf<V, K, T> = {
  field: K;
  op: "in" | "nin";
  value: readonly Operand<V, T>[] | "$me" | `$me.${string}`;
};
