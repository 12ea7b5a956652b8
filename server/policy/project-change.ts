import type { Values } from "../../shared/model/model.ts";
import type { WireChange } from "../../shared/protocol/feed.ts";
import type { LogChange } from "../store/log-change.ts";
import { type CompiledScope, isInScope, showsTransition } from "./compiled-scope.ts";

/**
 * What a scope may see of a change. It is evaluated before and after: a record that enters is an insert with
 * all visible fields, one that stays is an update with the visible ones among the changed, one that leaves is
 * a delete without the new values, and one that was never visible is null. No other place turns a logged
 * change into a wire change.
 */
export function projectChange(change: LogChange, scope: CompiledScope): WireChange | null {
  const was = wasInScope(change, scope);
  const is = change.after !== null && isInScope(scope, change.record, change.after);
  if (!is) return was ? wire(change, "delete", {}) : null;
  const after = change.after as Values;
  if (!was) return withTransition(wire(change, "insert", visibleOf(after, scope)), change, scope);
  const set = changedOf(change.before ?? {}, after, scope);
  return set && withTransition(wire(change, "update", set), change, scope);
}

const imagesBefore = new WeakMap<LogChange, Values>();

/** The whole previous record, or null if there was none. Built once, for all scopes. */
export function imageBefore(change: LogChange): Values | null {
  const { kind, before, after } = change;
  if (kind !== "update") return kind === "insert" ? null : before;
  const known = imagesBefore.get(change);
  if (known) return known;
  const image = { ...after, ...before };
  imagesBefore.set(change, image);
  return image;
}

function wasInScope(change: LogChange, scope: CompiledScope): boolean {
  if (change.kind === "insert") return false;
  if (scope.sees === null) return true;
  const before = imageBefore(change);
  return before !== null && scope.sees(change.record, before);
}

function visibleOf(after: Values, { fields }: CompiledScope): Values {
  const set: Values = {};
  for (const field of fields) set[field] = after[field] ?? null;
  return set;
}

/** The visible fields among the changed ones with their new values; null if there are none. */
function changedOf(before: Values, after: Values, { visible }: CompiledScope): Values | null {
  const set: Values = {};
  let some = false;
  for (const field of Object.keys(before)) {
    if (!visible.has(field)) continue;
    set[field] = after[field] ?? null;
    some = true;
  }
  return some ? set : null;
}

function wire(change: LogChange, kind: WireChange["kind"], set: Values): WireChange {
  const { seq, record, by, at, mutation } = change;
  return { seq, kind, record, set, by, at, ...(mutation !== undefined && { mutation }) };
}

function withTransition(projected: WireChange, change: LogChange, scope: CompiledScope) {
  const { transition } = change;
  if (transition === undefined || !showsTransition(change, scope)) return projected;
  return { ...projected, transition };
}
