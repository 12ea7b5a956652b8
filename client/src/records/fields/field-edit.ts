import type { Json } from "../../../../shared/filter/filter.ts";
import { toNfc } from "../../../../shared/filter/to-nfc.ts";
import { type Field, findField } from "../../../../shared/model/model.ts";
import { Refusal } from "../../../../shared/protocol/errors.ts";
import { fieldMessages as messages } from "../../messages/en/fields.ts";
import { accountAtom } from "../../state/account.ts";
import { connectionAtom } from "../../state/connection-state.ts";
import type { EditRef, RecordView } from "../../state/record-view.ts";
import { store } from "../../state/store.ts";
import { tableAtom } from "../../state/table-state.ts";
import { type TextPlace, type UnsavedText, unsavedTextsAtom } from "../../state/unsaved-texts.ts";
import { problemText } from "../../ui/problem-text.ts";
import { toastRecurringFailure } from "../../ui/toast.tsx";
import type { LookUp } from "./look-up.ts";
import { readOnlyReason } from "./read-only-reason.ts";
import { isSameValue } from "./same-value.ts";
import type { Parsed } from "./typed-text.ts";

/**
 * One edit of one field, from its first key to its end: in a cell of the grid, in the panel, in the form of a transition, in a filter.
 * The inputs (field-input.tsx) read keys and text, and their hosts decide which key ends an edit; what an edit is based on, where its
 * text is stored meanwhile and what becomes of it is decided here, once.
 *
 * - **Nothing typed is lost.** From the first key on the text is noted for its author (`UnsavedTexts`), so that it survives the page.
 *   It ends as an edit, as an unsaved text with the reason, or because its author takes it back, and as nothing else. An unsaved text
 *   is announced, unless its author was notified when they began to type (a locked field), or sees it go (a form that is taken away).
 * - **The base is what the author saw** when they began, whatever has come since: a value that somebody else has saved meanwhile is a
 *   conflict. What the author has saved there themselves counts as seen, although it may not be drawn yet (`baseOf`), or may have been
 *   looked up only since (`#followOwnEdits`): nobody is in conflict with themselves. A refused value is replaced, on the base of what is
 *   stored now (`saveValue`).
 * - **Who wins.** The text that is there when the edit ends. Enter, Tab, a click elsewhere, the focus that leaves, and a cell, panel or
 *   field that is taken away all end it (`end`); only Escape, and "Cancel" in a form, take it back (`cancel`). `end` may be called
 *   more than once: a grid that closes an editor does so by several ways, and only the first call counts.
 * - **A text that is no value** ends the edit of a cell, because the next key belongs to the next cell: it is an unsaved text then, and its
 *   cell is marked. A form keeps it, with its problem beside it (`isReadable`), until it is a value or the form goes away.
 * - **A field that can't be written** takes text only, and all of it becomes an unsaved text. That is decided when the edit begins, and
 *   looked at once more when it ends: rights, state and model may have changed (`notSavedReason`).
 * - **No key waits for a list.** The text of a link or a user ends the edit alone and is looked up behind (`#saveNamed`). It is noted
 *   until then like one that is being typed; a later edit of the same field replaces it, an undo waits for it. Without a connection it is
 *   listed meanwhile and looked up again when there is one (`#saveNamedLater`); on a page that was loaded since, its author decides,
 *   because the base is not known there.
 *
 * A conflict locks a cell, where its three values are not on the screen. The panel shows them right below its input: a value that is typed
 * there decides the conflict.
 */
export class FieldEdit {
  readonly #at: FieldAt | null;
  /** Why the field can't be written: all text becomes an unsaved text. */
  readonly locked: string | null;
  #resumed: string | null;
  readonly #onUnsaved: ((unsaved: NotSaved) => void) | undefined;
  #base: Json;
  /** The author's own last edit of the field, as far as the base takes it into account. */
  #own: SavedValue | undefined;
  #typed: { parsed: Parsed; text: string } | null = null;
  /** Where the text is noted now. */
  #noted: TextPlace | null = null;
  #isEnded = false;

  constructor({
    at = null,
    base,
    locked = null,
    resumed = null,
    onUnsaved,
  }: {
    /** The field; null where it is that of no record, as in a filter: then there is nothing to store the text for. */
    at?: FieldAt | null;
    base: Json;
    locked?: string | null;
    /** The unsaved text that the edit goes on with. */
    resumed?: string | null;
    /** The text could not be read, and is listed. */
    onUnsaved?(unsaved: NotSaved): void;
  }) {
    this.#at = at;
    this.#base = base;
    this.locked = locked;
    this.#resumed = resumed;
    this.#onUnsaved = onUnsaved;
    this.#own = at ? lastSaved(at, at.record, at.field.name) : undefined;
  }

  get base(): Json {
    return this.#base;
  }

  /** Whether the user has typed or chosen anything. */
  get isTyped(): boolean {
    return this.#typed !== null;
  }

  /** The typed value, or why there is none. */
  get parsed(): Parsed {
    return this.#typed?.parsed ?? { ok: true, value: this.#base };
  }

  /** Whether the text is a value, or may name one. */
  get isReadable(): boolean {
    return this.parsed.ok || this.#isUnsearched;
  }

  /** Whether it is not known yet what the text names. */
  get #isUnsearched(): boolean {
    const { parsed } = this;
    return this.#at !== null && this.locked === null && !parsed.ok && parsed.unsearched === true;
  }

  type(parsed: Parsed, text: string): void {
    if (this.#isEnded) return;
    this.#typed = { parsed, text };
    this.note();
  }

  /** Notes the text where its record is by now: the server may give a new record another id while its author types. */
  note(): void {
    if (!this.#at || !this.#typed || this.#isEnded) return;
    const { texts } = this.#at.core;
    const { text } = this.#typed;
    const place = placeOf(this.#at);
    if (this.#noted && this.#noted.record !== place.record) texts.clearTyping(this.#noted);
    this.#noted = place;
    // Where nothing was before, a blank is no text.
    if (this.#base === null && text.trim() === "") texts.clearTyping(place);
    else texts.setTyping(place, text, labelOf(this.#at));
  }

  /** The author takes the text back. */
  cancel(): void {
    this.#isEnded = true;
    this.#forgetNoted();
  }

  /** Saves what was typed, or lists it as an unsaved text. */
  end(): void {
    if (this.#isEnded || !this.#at) return;
    if (this.#isUnsearched) {
      void this.#saveNamed((value) => this.#save(value), true);
      return;
    }
    this.#isEnded = true;
    const { parsed, locked } = this;
    const isChanged = !parsed.ok || !isSameValue(parsed.value, this.#base) || this.#isRetried;
    const reason =
      locked ??
      (parsed.ok ? notSavedReason(placeOf(this.#at), this.#at.field.label) : parsed.message);
    this.#discardResumed();
    if (isChanged && reason !== null) this.#list(reason, parsed.ok);
    else if (isChanged && parsed.ok) this.#save(parsed.value);
    this.#forgetNoted();
  }

  /** Ends the edit and hands its value over, once it is known. Null while the text is no value: then the edit goes on. */
  endWith(save: (value: Json) => unknown): Promise<unknown> | null {
    const { parsed } = this;
    if (this.#isEnded || this.locked !== null || !this.isReadable) return null;
    if (!parsed.ok) return this.#saveNamed(save);
    this.#isEnded = true;
    this.#forgetNoted();
    this.#discardResumed();
    return Promise.resolve(save(parsed.value));
  }

  /**
   * Lists the text as it was typed, also one that is no value: the form around it was taken away, or what it was part of was refused.
   */
  leave(reason: string): void {
    this.cancel();
    if (this.#at && this.#typed) addText(this.#at, this.#typed.text, reason);
  }

  /** Who types once more what was refused wants it tried again. */
  get #isRetried(): boolean {
    const at = this.#at;
    const state = at?.viewOf(at.table.name, placeOf(at).record)?.cells[at.field.name];
    return this.isTyped && state?.kind === "rejected" && isSameValue(state.mine, this.#base);
  }

  #save(value: Json): void {
    if (!this.#at) return;
    this.#followOwnEdits();
    if (this.#isRetried || !isSameValue(value, this.#base)) saveValue(this.#at, this.#base, value);
  }

  /** A text that was ended before, or pasted, may have been saved in this field since: the author goes on from that. */
  #followOwnEdits(): void {
    const own = this.#at ? lastSaved(this.#at, this.#at.record, this.#at.field.name) : undefined;
    if (!own || own === this.#own || !isSameValue(own.base, this.#base)) return;
    this.#own = own;
    this.#base = own.value;
  }

  /**
   * Looks up what the text names, wherever its author is by now, and saves that. A text that names nothing or several targets, or whose
   * field can no longer be written, becomes an unsaved text; with `isRetried`, one that the server could not be asked about only until it can be.
   */
  #saveNamed(save: (value: Json) => unknown, isRetried = false): Promise<void> {
    this.#isEnded = true;
    if (!this.#at || !this.#typed) return Promise.resolve();
    const { core, labels, field } = this.#at;
    const { text } = this.#typed;
    const place = placeOf(this.#at);
    const release = this.#noted ? core.texts.holdTyped(this.#noted) : () => {};
    return lookUp({ table: place.table, places: [place] }, async (isLast) => {
      const parsed = await choiceNamed(labels, field, text);
      if (isLast(place)) {
        const now = placeOf(this.#at as FieldAt);
        const reason = parsed.ok ? notSavedReason(now, field.label) : parsed.message;
        const listed = reason === null ? null : this.#list(reason, false);
        if (parsed.ok && reason === null) save(parsed.value);
        else if (listed && isRetried && isUnasked(parsed)) void this.#saveNamedLater(listed);
      }
      release();
    });
  }

  /** Looks a listed text up each time the connection is back, until the server has answered, or its author has edited the field or discarded it. */
  async #saveNamedLater(listed: string): Promise<void> {
    if (!this.#at || !this.#typed) return;
    const { core, labels, field } = this.#at;
    const place = placeOf(this.#at);
    const isReplaced = awaitLookUp(place);
    await nextConnection();
    if (isReplaced() || !store.get(unsavedTextsAtom).some(({ id }) => id === listed)) return;
    await lookUp({ table: place.table, places: [place] }, async (isLast) => {
      const parsed = await choiceNamed(labels, field, this.#typed?.text ?? "");
      if (!isLast(place)) return;
      if (isUnasked(parsed)) return void this.#saveNamedLater(listed);
      const now = placeOf(this.#at as FieldAt);
      const reason = parsed.ok ? notSavedReason(now, field.label) : parsed.message;
      // The text is listed once, with the latest reason.
      if (reason !== null) this.#list(reason, false);
      else if (parsed.ok) this.#save(parsed.value);
      if (reason === null) core.texts.discard(listed);
    });
  }

  /** `isValue`: the text can be read, and it is the field that can't be written. */
  #list(reason: string, isValue: boolean): string | null {
    if (!this.#at || !this.#typed) return null;
    const { text } = this.#typed;
    const listed = addText(this.#at, text, reason);
    // For a locked field, the user was notified when they began to type.
    if (this.locked !== null) return listed;
    const { label } = this.#at.field;
    toastRecurringFailure("unsaved-text", messages.notSaved({ field: label, reason }));
    if (!isValue) this.#onUnsaved?.({ text, reason, listed });
    return listed;
  }

  /** The text that was corrected has become a value, or is listed once more as it is now. */
  #discardResumed(): void {
    if (this.#resumed !== null) this.#at?.core.texts.discard(this.#resumed);
    this.#resumed = null;
  }

  #forgetNoted(): void {
    if (this.#noted) this.#at?.core.texts.clearTyping(this.#noted);
    this.#noted = null;
  }
}

/** A text that was listed as unsaved, why, and the id by which it is listed; null if it is blank. */
export interface NotSaved {
  text: string;
  reason: string;
  listed: string | null;
}

/**
 * Where fields of records are edited: the part of the client core that takes edits and texts, what finds the targets of links, and the
 * records as they are shown. (This folder may not import the core.)
 */
export interface Editing<Submitted = unknown> {
  core: {
    edits: {
      currentId(table: string, record: string): string;
      edit(table: string, edit: ValueEdit, origin?: "panel"): Submitted;
      drop(edit: EditRef, field?: string): void;
    };
    texts: {
      setTyping(place: TextPlace, text: string, label: string): void;
      clearTyping(place: TextPlace): void;
      holdTyped(place: TextPlace): () => void;
      add(text: Omit<UnsavedText, "at" | "id">): string | null;
      discard(id: string): void;
    };
  };
  labels: Pick<LookUp, "named">;
  viewOf(table: string, record: string): RecordView | undefined;
}

interface ValueEdit {
  record: string;
  set: Record<string, Json>;
  base: Record<string, Json>;
}

/** One field of one record, and where it is edited. */
export interface FieldAt<Submitted = unknown> extends Editing<Submitted> {
  table: { name: string; label: string };
  field: Field;
  /** The id that the record had when it was first shown: a new record may have another one by now. */
  record: string;
  origin?: "panel";
  /** An edit is on its way. */
  onSubmitted?(submitted: Submitted): unknown;
}

function placeOf({ core, table, record, field }: FieldAt): TextPlace {
  const { name } = table;
  return { table: name, record: core.edits.currentId(name, record), field: field.name };
}

function labelOf({ table, field }: FieldAt): string {
  return `${table.label} · ${field.label}`;
}

function addText(at: FieldAt, text: string, reason: string): string | null {
  return at.core.texts.add({ ...placeOf(at), text, label: labelOf(at), reason });
}

/**
 * The value that an edit begins with: the one that its author sees, `drawn`. What they have written there themselves counts even before
 * it is drawn: otherwise the value before would be one to go back to, and typing that would change nothing.
 */
export function baseOf(at: Omit<FieldAt, "record">, drawn: RecordView): Json {
  const { name } = at.field;
  const { values, confirmed } = at.viewOf(at.table.name, drawn.id) ?? drawn;
  const current = values[name] ?? null;
  const isPending = confirmed !== null && !isSameValue(confirmed[name] ?? null, current);
  const last = lastSaved(at, drawn.id, name)?.value;
  const isMine = isPending || (last !== undefined && isSameValue(last, current));
  return isMine ? current : (drawn.values[name] ?? null);
}

/**
 * Saves a value of one field, based on the one that its author saw. A refused value is dropped first, so that the new one is based on what is
 * stored; null where it is just that.
 */
export function saveValue<Submitted>(
  at: FieldAt<Submitted>,
  base: Json,
  value: Json,
): Submitted | null {
  const { core, table, field, origin } = at;
  const { name } = field;
  const { record } = placeOf(at);
  const state = at.viewOf(table.name, record)?.cells[name];
  const isRefused = state?.kind === "rejected";
  if (isRefused) core.edits.drop(state.edit, name);
  const from = isRefused ? (at.viewOf(table.name, record)?.values[name] ?? null) : base;
  noteSaved(at, [{ record, field: name, base: from, value }]);
  if (isRefused && isSameValue(from, value)) return null;
  const submitted = core.edits.edit(
    table.name,
    { record, set: { [name]: value }, base: { [name]: from } },
    origin,
  );
  at.onSubmitted?.(submitted);
  return submitted;
}

/** A value that was saved in a field, and the one that it replaced. */
interface SavedValue {
  base: Json;
  value: Json;
}

/** What was saved last in each place, for each session: by the last step, and by steps before it as far as the bound allows. */
const savedValues = new WeakMap<Cells["core"], Map<string, SavedValue>>();
const SAVED_MAX = 500;

type Cells = Pick<Editing, "core"> & { table: { name: string } };

function lastSaved({ core, table }: Cells, record: string, field: string): SavedValue | undefined {
  return savedValues.get(core)?.get(keyOf(currentPlace({ core, table }, record, field)));
}

function currentPlace({ core, table }: Cells, record: string, field: string): TextPlace {
  return { table: table.name, record: core.edits.currentId(table.name, record), field };
}

/**
 * Remembers what the step that is made now saves, in one field or many. It replaces what is still being looked up for these, if that had
 * begun before: `namedBefore` look-ups had.
 */
export function noteSaved(
  at: Cells,
  cells: readonly (SavedValue & { record: string; field: string })[],
  namedBefore = begun,
): void {
  const saved = savedValues.get(at.core) ?? new Map<string, SavedValue>();
  savedValues.set(at.core, saved);
  for (const { record, field, base, value } of cells) {
    const place = currentPlace(at, record, field);
    replaceNamed(place, namedBefore);
    // The newest is the last one.
    saved.delete(keyOf(place));
    saved.set(keyOf(place), { base, value });
  }
  const most = Math.max(SAVED_MAX, cells.length);
  for (const key of saved.keys()) {
    if (saved.size <= most) break;
    saved.delete(key);
  }
}

/** The texts that are being looked up, by place: the last one of each, and how many look-ups had begun before it. */
const lookedUp = new Map<string, { serial: number }>();
let begun = 0;
/** All that are being looked up, also those that a later one replaces, with the table that each is in. */
const underWay = new Map<Promise<void>, string>();

/**
 * Runs a look-up of what texts name in one or more places of a table. `isLast` says, once for each place, whether it is still the last one there:
 * no longer when another has begun, or something was saved.
 */
export async function lookUp(
  { table, places }: { table: string; places: readonly TextPlace[] },
  run: (isLast: (place: TextPlace) => boolean) => Promise<void>,
): Promise<void> {
  const own = { serial: begun };
  for (const place of places) lookedUp.set(keyOf(place), own);
  begun += 1;
  const done = run((place) => {
    const isLast = lookedUp.get(keyOf(place)) === own;
    if (isLast) lookedUp.delete(keyOf(place));
    return isLast;
  });
  underWay.set(done, table);
  await done.finally(() => underWay.delete(done));
}

/** Whoever waits to look a place up counts as its last look-up until another edit of it. Nothing waits for them. */
function awaitLookUp(place: TextPlace): () => boolean {
  const key = keyOf(place);
  const own = { serial: begun };
  lookedUp.set(key, own);
  begun += 1;
  return () => lookedUp.get(key) !== own;
}

/** Resolves when the connection comes to be live the next time. A look-up fails before it is noticed that it is not. */
function nextConnection(): Promise<void> {
  return new Promise((resolve) => {
    const stop = store.sub(connectionAtom, () => {
      const { kind, withoutStore } = store.get(connectionAtom);
      if (kind !== "live" || withoutStore) return;
      stop();
      resolve();
    });
  });
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
function replaceNamed(place: TextPlace, until: number): void {
  const key = keyOf(place);
  const found = lookedUp.get(key);
  if (found && found.serial < until) lookedUp.delete(key);
}

/**
 * Waits until nothing is looked up in a table that is under way now: to undo before would take back the step before it. Null where nothing
 * is.
 */
export function untilLookedUp(table: string | undefined): Promise<unknown> | null {
  const waiting = [...underWay].flatMap(([done, of]) => ((table ?? of) === of ? [done] : []));
  return waiting.length > 0 ? Promise.allSettled(waiting) : null;
}

/** The value of the only target that a text names. */
async function choiceNamed(
  labels: Pick<LookUp, "named">,
  field: Field,
  text: string,
): Promise<Parsed> {
  const name = toNfc(text.trim());
  try {
    const [only, ...others] = await labels.named(field, name);
    if (only && others.length === 0) return { ok: true, value: only.id };
    const of = { field: field.label, text: name };
    return { ok: false, message: only ? messages.manyNamed(of) : messages.noneNamed(of) };
  } catch (error) {
    const isUnasked = error instanceof Refusal && error.code === "unavailable";
    return { ok: false, message: problemText(error), unsearched: isUnasked };
  }
}

/** Whether the server could not be asked what a text names. */
function isUnasked(parsed: Parsed): boolean {
  return !parsed.ok && parsed.unsearched === true;
}

/** Finds targets by id or name, as for pasted texts. */
interface Resolver {
  resolve(field: Field, texts: readonly string[]): Promise<Map<string, string[]>>;
}

/**
 * What the unsaved text of a link or user field names. A value that lost its field is stored by its id: where that is one target,
 * and the label of another one is the text or begins with it, the author decides.
 */
export async function targetOfUnsaved(
  labels: Pick<LookUp, "named"> & Resolver,
  field: Field,
  text: string,
): Promise<Parsed> {
  const named = await choiceNamed(labels, field, text);
  const found = await labels.resolve(field, [text]).catch(() => new Map<string, string[]>());
  const [id, ...others] = found.get(text) ?? [];
  if (id === undefined || others.length > 0) return named;
  if (named.ok && named.value !== id) {
    return { ok: false, message: messages.manyNamed({ field: field.label, text }) };
  }
  return { ok: true, value: id };
}

/**
 * Why a text can't be saved where it was typed, given the present model, rights and record, which may have changed in the
 * meantime. Null if it can be tried. `label` is the previous label of the field.
 */
function notSavedReason({ table: name, record, field }: TextPlace, label: string): string | null {
  const account = store.get(accountAtom);
  if (!("data" in account)) return messages.signedOut();
  const { model, session } = account.data;
  const isNamed = (one: { name: string; formerly?: string[] }, wantedName: string) =>
    one.name === wantedName || one.formerly?.includes(wantedName) === true;
  const table = model.tables.find((one) => isNamed(one, name));
  if (!table) return messages.tableGone({ field: label });
  if (table.name !== name) return messages.tableRenamed({ table: table.label });
  const found = findField(table, field) ?? table.fields.find((one) => isNamed(one, field));
  if (!found) return messages.fieldGone({ field: label });
  const view = store.get(tableAtom(name)).get(record);
  if (!view) return null;
  return readOnlyReason(table, found, session.abilities.tables[table.name], view);
}

/** One line of text in place of a field that can't be edited: any text is valid. */
export function lockedField({ name, label }: Field): Field {
  return { name, label, type: "text" };
}

/**
 * Says why typed text can't be saved in a field, and where it is stored instead: one notice for a series that is typed into
 * several cells, and the latest reason.
 */
export function showLockedText(reason: string, isStored: boolean): void {
  toastRecurringFailure("locked-text", isStored ? messages.lockedText({ reason }) : reason);
}

function keyOf({ table, record, field }: TextPlace): string {
  return JSON.stringify([table, record, field]);
}
