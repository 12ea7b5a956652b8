import type { Json } from "../../../../shared/filter/filter.ts";
import { toNfc } from "../../../../shared/filter/to-nfc.ts";
import type { Field } from "../../../../shared/model/model.ts";
import { fieldMessages as messages } from "../../messages/en/fields.ts";
import type { TextPlace, UnsavedText } from "../../state/unsaved-texts.ts";
import { problemText } from "../../ui/problem-text.ts";
import { toastRecurringFailure } from "../../ui/toast.tsx";
import type { LookUp } from "./look-up.ts";
import { notSavedReason } from "./not-saved-reason.ts";
import type { Parsed } from "./typed-text.ts";

/** An edit that was ended before it was known what its text names. */
export interface NamedEdit {
  place: TextPlace;
  field: Field;
  text: string;
  /** What table and field are called. */
  label: string;
  save(value: Json): void;
  /** Called where the text has become an unsaved one. */
  onUnsaved?(reason: string): void;
}

/** What of the client core it needs. */
interface Core {
  edits: {
    currentId(table: string, record: string): string;
    keepDraft(table: string, record: string): void;
  };
  texts: {
    holdTyped(place: TextPlace): () => void;
    add(text: Omit<UnsavedText, "at" | "id">): unknown;
  };
}

/** Finds targets by id or name, as for pasted texts. */
interface Resolver {
  resolve(field: Field, texts: readonly string[]): Promise<Map<string, string[]>>;
}

/** The edits that are being looked up, by place: the last one of each, and how many had begun before it. */
const lookedUp = new Map<string, { edit: NamedEdit; serial: number }>();
let begun = 0;
/** All that are being looked up, also those that a later one replaces, with the table that each is in. */
const underWay = new Map<Promise<void>, string>();

/**
 * Looks up what a text names, wherever its author is by now, and saves that. A text that names nothing or several targets, or whose
 * field can no longer be written, becomes an unsaved text. Until then it is stored like one that is being typed. A later edit of the
 * same cell replaces this one.
 */
export async function editByName(
  core: Core,
  lookUp: Pick<LookUp, "named">,
  edit: NamedEdit,
): Promise<void> {
  const done = saveNamed(core, lookUp, edit);
  underWay.set(done, edit.place.table);
  await done.finally(() => underWay.delete(done));
}

/**
 * Waits until nothing is looked up in a table that is under way now: to undo before would take back the step before it. Null where nothing
 * is.
 */
export function untilLookedUp(table: string | undefined): Promise<unknown> | null {
  const waiting = [...underWay].flatMap(([done, of]) => ((table ?? of) === of ? [done] : []));
  return waiting.length > 0 ? Promise.allSettled(waiting) : null;
}

async function saveNamed(
  { edits, texts }: Core,
  lookUp: Pick<LookUp, "named">,
  edit: NamedEdit,
): Promise<void> {
  const { place, field, text } = edit;
  const key = keyOf(place);
  lookedUp.set(key, { edit, serial: begun });
  begun += 1;
  const release = texts.holdTyped(place);
  // The next new record would be begun in its draft otherwise.
  edits.keepDraft(place.table, place.record);
  const parsed = await choiceNamed(lookUp, field, text);
  const isLast = lookedUp.get(key)?.edit === edit;
  if (isLast) lookedUp.delete(key);
  const now = { ...place, record: edits.currentId(place.table, place.record) };
  const reason = parsed.ok ? notSavedReason(now, field.label) : parsed.message;
  if (isLast && reason === null && parsed.ok) edit.save(parsed.value);
  else if (isLast && reason !== null) texts.add({ ...now, text, label: edit.label, reason });
  release();
  if (!isLast || reason === null) return;
  toastRecurringFailure("unsaved-name", messages.notSaved({ field: field.label, reason }));
  edit.onUnsaved?.(reason);
}

/** Whether it is not known yet what the text names that was typed there. */
export function isLookedUp(place: TextPlace): boolean {
  return lookedUp.has(keyOf(place));
}

/** How many look-ups have begun: what is written later, but was pasted by now, does not replace those that begin from now on. */
export function namedSoFar(): number {
  return begun;
}

/** An edit of a place replaces what is still being looked up for it, of the first so many look-ups. */
export function replaceNamed(place: TextPlace, until = begun): void {
  const key = keyOf(place);
  const found = lookedUp.get(key);
  if (found && found.serial < until) lookedUp.delete(key);
}

/** The value of the only target that a text names. */
export async function choiceNamed(
  lookUp: Pick<LookUp, "named">,
  field: Field,
  text: string,
): Promise<Parsed> {
  const name = toNfc(text.trim());
  try {
    const [only, ...others] = await lookUp.named(field, name);
    if (only && others.length === 0) return { ok: true, value: only.id };
    const of = { field: field.label, text: name };
    return { ok: false, message: only ? messages.manyNamed(of) : messages.noneNamed(of) };
  } catch (error) {
    return { ok: false, message: problemText(error) };
  }
}

/**
 * What the unsaved text of a link or user field names. A value that lost its field is stored by its id: where that is one target,
 * and the label of another one is the text or begins with it, the author decides.
 */
export async function targetOfUnsaved(
  lookUp: Pick<LookUp, "named"> & Resolver,
  field: Field,
  text: string,
): Promise<Parsed> {
  const named = await choiceNamed(lookUp, field, text);
  const found = await lookUp.resolve(field, [text]).catch(() => new Map<string, string[]>());
  const [id, ...others] = found.get(text) ?? [];
  if (id === undefined || others.length > 0) return named;
  if (named.ok && named.value !== id) {
    return { ok: false, message: messages.manyNamed({ field: field.label, text }) };
  }
  return { ok: true, value: id };
}

function keyOf({ table, record, field }: TextPlace): string {
  return JSON.stringify([table, record, field]);
}
