import { createHash } from "node:crypto";
import { fieldsOf } from "../../shared/filter/bind-filter.ts";
import type { RecordValues } from "../../shared/filter/compile-test.ts";
import type { Filter, Json } from "../../shared/filter/filter.ts";
import { compileFilter, type RecordPredicate } from "../../shared/filter/matches.ts";
import { type Field, fieldKinds, findField, type Table } from "../../shared/model/model.ts";
import { type Scope, type Subject, scopeKey, scopeOf } from "../../shared/policy/scope.ts";
import type { LogChange } from "../store/log-change.ts";

/**
 * A scope compiled for many changes. Its filter is bound: two users with different attributes never have
 * equal keys. Row rights can't use the clock, so a scope always means the same.
 */
export interface CompiledScope {
  /** Equal for equal scopes only, reveals nothing of the filter, and is sent to clients. */
  readonly key: string;
  readonly table: string;
  readonly fields: readonly string[];
  readonly visible: ReadonlySet<string>;
  /** The state field, if it is visible. */
  readonly stateField: string | null;
  readonly hidesNothing: boolean;
  /** Whether a record with these values is in the scope; null if every record is. */
  readonly sees: RecordPredicate | null;
}

/** The compiled scope of a user on a table; null if the role may not read it at all. */
export function compileScopeOf(subject: Subject, table: Table): CompiledScope | null {
  const scope = scopeOf(subject, table);
  return scope && compileScope(scope, table);
}

/** Compiles a scope; its filter is bound, so it names no user any more. */
export function compileScope(scope: Scope, table: Table): CompiledScope {
  const kinds = fieldKinds(table);
  const { hidesNothing } = scope;
  const stateField = visibleStateField(table, scope.fields);
  return {
    key: keyOf(scope, kinds, stateField),
    table: scope.table,
    fields: scope.fields,
    visible: new Set(scope.fields),
    stateField,
    hidesNothing,
    sees: scope.filter ? compileRows(scope.filter, table) : null,
  };
}

/**
 * Compiles a bound row right so that images of the log from before a change of the model match no more than they did. A computed
 * field that an image lacks was computed from something else at that time (`logKeyOf`): the image matches nothing, also not by a
 * comparison that an empty value matches. A former name of an option has to match both as it is and as the option of now, because
 * the right follows that. (A record into which another program writes a former name is hidden by this from followers, though reads
 * by SQL may find it.)
 */
export function compileRows(filter: Filter, table: Table): RecordPredicate {
  const matches = compileFilter(filter, fieldKinds(table));
  const fields = [...fieldsOf(filter)].flatMap((name) => findField(table, name) ?? []);
  const computed = fields.filter(({ expression }) => expression !== undefined);
  const renamed = fields.flatMap(formerOptions);
  if (computed.length === 0 && renamed.length === 0) return matches;
  return (id, values) => {
    if (computed.some(({ name }) => values[name] === undefined)) return false;
    if (!matches(id, values)) return false;
    const now = withCurrentOptions(values, renamed);
    return now === values || matches(id, now);
  };
}

interface FormerOptions {
  name: string;
  current: ReadonlyMap<Json, string>;
}

function formerOptions({ name, options = [] }: Field): FormerOptions[] {
  const pairs = options.flatMap(({ value, formerly = [] }) =>
    formerly.map((former) => [former, value] as const),
  );
  return pairs.length > 0 ? [{ name, current: new Map(pairs) }] : [];
}

/** The same values if no former option is among them. */
function withCurrentOptions(values: RecordValues, renamed: readonly FormerOptions[]): RecordValues {
  let now = values;
  for (const { name, current } of renamed) {
    const value = values[name] ?? null;
    const listed = Array.isArray(value) ? value : [value];
    if (!listed.some((one) => current.has(one))) continue;
    const replaced = listed.map((one) => current.get(one) ?? one);
    now = { ...now, [name]: Array.isArray(value) ? replaced : (replaced[0] ?? null) };
  }
  return now;
}

/** Whether a record is in a scope, as far as its values decide. */
export function isInScope(
  scope: CompiledScope,
  record: string,
  values: Parameters<RecordPredicate>[1],
) {
  return scope.sees === null || scope.sees(record, values);
}

/** A table's state field, if a reader of these fields sees it. */
export function visibleStateField({ stateField }: Table, fields: readonly string[]): string | null {
  return stateField !== undefined && fields.includes(stateField) ? stateField : null;
}

/**
 * Whether the name of a change's transition, and its reason, may be sent: they reveal the state that it changed. Once the model
 * has another state field, or none, only users from whom nothing is hidden receive those of earlier changes.
 */
export function showsTransition(
  { before }: Pick<LogChange, "before">,
  { stateField, hidesNothing }: Pick<CompiledScope, "stateField" | "hidesNothing">,
): boolean {
  return hidesNothing || (stateField !== null && before?.[stateField] !== undefined);
}

/** The kinds count too: a filter over a retyped field evaluates differently. */
function keyOf(scope: Scope, kinds: Record<string, string>, stateField: string | null) {
  const text = JSON.stringify([scopeKey(scope), scope.filter ? kinds : null, stateField]);
  return createHash("sha256").update(text).digest("base64url").slice(0, 24);
}
