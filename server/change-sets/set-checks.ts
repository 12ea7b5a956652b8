import { explain } from "../../shared/error-texts/explain.ts";
import type { Json } from "../../shared/filter/filter.ts";
import { isStorable, isStorableJson } from "../../shared/filter/storable.ts";
import type { Limits } from "../../shared/limits.ts";
import { resolveTable } from "../../shared/model/former-names.ts";
import type { Model } from "../../shared/model/model.ts";
import { type Subject, scopeOf } from "../../shared/policy/scope.ts";
import type { ChangeSetState, PatchChangeSetCall } from "../../shared/protocol/change-sets.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { WireOp } from "../../shared/protocol/mutate.ts";
import type { Identity } from "../auth/identity.ts";
import { countChangesOfSets } from "../store/activity.ts";
import { countApplied } from "../store/change-sets/change-set-ops.ts";
import { type ChangeSetRow, sizeOfDrafts } from "../store/change-sets/change-sets.ts";
import type { Db } from "../store/database.ts";

/** An op that no database can hold is refused; whether it can be applied is said by the preview. */
export function requireStorable(
  title: string | null | undefined,
  ops: readonly WireOp[],
  from = 0,
): void {
  const index = ops.findIndex((op) => !isStorableJson(op as unknown as Json));
  if (index < 0 && isStorable(title ?? "")) return;
  const at = index < 0 ? "title" : "ops";
  throw new Refusal("invalid_request", { at, ...(index >= 0 && { index: from + index }) });
}

/** Refuses a change of a draft with contents that no database can hold, or with two parts that would write one place. */
export function requireWritable(call: PatchChangeSetCall): void {
  const { add = [], replace = [], resolve = [], title } = call;
  requireStorable(title, [...add, ...replace.map(({ op }) => op)]);
  const unstorable = resolve.find(({ theirs }) => !isStorableJson(theirs));
  if (unstorable) throw new Refusal("invalid_request", { at: "resolve", index: unstorable.index });
  const taken = new Set(resolve.map(({ index }) => index));
  for (const { index } of replace) {
    if (taken.has(index)) throw new Refusal("invalid_request", { at: "replace", index });
    taken.add(index);
  }
}

/** Refuses what a set in another state does not allow. */
export function requireState(set: ChangeSetRow, states: readonly ChangeSetState[]): void {
  if (!states.includes(set.state)) throw wrongState(set);
}

export function wrongState({ state }: { state: ChangeSetState }): Refusal {
  return new Refusal("conflict", { state, fields: {} }, explain(`changeSet.${state}`));
}

/** Refuses a draft that holds only a part of its file. */
export function requireImported({ import: file }: ChangeSetRow): void {
  if (!file || file.counts) return;
  throw new Refusal("conflict", { state: "draft", fields: {} }, explain("import.notRead"));
}

/** Refuses more ops than a set may have. */
export function requireCapacity({ CHANGE_SET_MAX_OPS: limit }: Limits, size: number): void {
  if (size > limit) throw new Refusal("too_large", { limit, size, unit: "ops" });
}

/** Refuses ops on tables that their author may not read like those on missing ones: nothing of them could be shown or applied. */
export function requireReadable(subject: Subject, model: Model, ops: readonly WireOp[]): void {
  const index = ops.findIndex((op) => {
    const table = resolveTable(model, op.table);
    return !table || !scopeOf(subject, table);
  });
  if (index >= 0) throw new Refusal("not_found", { at: "ops", index });
}

/** Refuses more bytes of ops than the drafts of a user may have, with those of their API tokens. */
export async function requireDraftBytes(
  db: Db,
  limit: number,
  { subject }: Identity,
): Promise<{ drafts: number }> {
  const { drafts, bytes } = await sizeOfDrafts(db, subject.id);
  if (bytes >= limit) throw new Refusal("too_large", { limit, size: bytes, unit: "bytes" });
  return { drafts };
}

/** Whether a set has changed a record. Its last batch may be in the log only: a server can stop before it notes what it applied. */
export async function hasChangedRecords(kysely: Db, { id }: ChangeSetRow): Promise<boolean> {
  if ((await countApplied(kysely, id)) > 0) return true;
  return (await countChangesOfSets({ kysely }, [id], 1)).length > 0;
}
