import { createHash } from "node:crypto";
import { compileFilter, type RecordPredicate } from "../../shared/filter/matches.ts";
import { fieldKinds, type Table } from "../../shared/model/model.ts";
import { type Scope, type Subject, scopeKey, scopeOf } from "../../shared/policy/scope.ts";

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
  /** Whether names of transitions may be sent: they reveal the state. */
  readonly showsState: boolean;
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
  const { stateField } = table;
  const showsState = stateField === undefined || scope.fields.includes(stateField);
  return {
    key: keyOf(scope, kinds, showsState),
    table: scope.table,
    fields: scope.fields,
    visible: new Set(scope.fields),
    showsState,
    sees: scope.filter ? compileFilter(scope.filter, kinds) : null,
  };
}

/** Whether a record is in a scope, as far as its values decide. */
export function isInScope(
  scope: CompiledScope,
  record: string,
  values: Parameters<RecordPredicate>[1],
) {
  return scope.sees === null || scope.sees(record, values);
}

/** The kinds count too: a filter over a retyped field evaluates differently. */
function keyOf(scope: Scope, kinds: Record<string, string>, showsState: boolean): string {
  const text = JSON.stringify([scopeKey(scope), scope.filter ? kinds : null, showsState]);
  return createHash("sha256").update(text).digest("base64url").slice(0, 24);
}
