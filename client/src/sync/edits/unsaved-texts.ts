import { z } from "zod";
import type { Json } from "../../../../shared/filter/filter.ts";
import { displayText } from "../../../../shared/model/display-text.ts";
import { resolveField, resolveTable } from "../../../../shared/model/former-names.ts";
import { findField, type Model } from "../../../../shared/model/model.ts";
import type { WireOp } from "../../../../shared/protocol/mutate.ts";
import { errorMessages as messages } from "../../messages/en/errors.ts";
import type { AtomStore } from "../../state/atom-store.ts";
import { tableAtom } from "../../state/table-state.ts";
import { type TextPlace, type UnsavedText, unsavedTextsAtom } from "../../state/unsaved-texts.ts";
import { type TextStorage, withStorage } from "../../transport/storage/browser-storage.ts";
import type { TabLease } from "../../transport/tab-lease.ts";
import type { Clock } from "../clock.ts";
import type { CoreContext } from "../core-context.ts";
import { newId } from "../new-id.ts";
import { valuesOf } from "./pending-op.ts";
import type { ScopedOp } from "./visibility.ts";

const storedSchema = z.object({
  table: z.string(),
  record: z.string(),
  field: z.string(),
  text: z.string(),
  reason: z.string(),
  label: z.string(),
  name: z.string().optional(),
  at: z.number(),
  /** The tab in whose open editor the text was when it was stored; none if the page was closed properly since. */
  tab: z.string().optional(),
});

/** A text in an open editor is stored so soon after a key, because a crash of the browser closes no page. */
const STORE_TYPING_AFTER_MS = 2_000;

/**
 * Typed texts that are not edits: those in an open editor, so that closing the page does not lose them, and those whose
 * field could no longer be written. Stored in this browser for their author. No text replaces another one.
 *
 * A text that is being typed is stored with the name of its tab, and listed nowhere while that tab is open: its author sees it in the
 * editor. If the tab ends without closing the page, as in a crash, another one lists it (`adopt`).
 *
 * A text is stored with what its record is called, because the record may be gone when its author reads the list. The name leaves this browser
 * with the right to see it (`forgetNames`).
 */
export class UnsavedTexts {
  readonly #deps;
  readonly #prefix: string;
  readonly #typing = new Map<string, Omit<UnsavedText, "reason">>();
  readonly #stored = new Map<string, StoredText>();
  /** Ids of texts that only this page has. */
  readonly #unstored = new Set<string>();
  #cancelStoring: (() => void) | undefined;
  /** The last two models, newest first: labels of what the newest one removed are in the other. */
  #models: readonly Model[];

  constructor(deps: {
    store: AtomStore;
    clock: Clock;
    user: string;
    storage: TextStorage | null;
    lease: TabLease;
    context: () => Pick<CoreContext, "model">;
    /** Whether every text is stored, whenever that may have changed. */
    onStored(isStored: boolean): void;
  }) {
    this.#deps = deps;
    this.#prefix = `watchfloor.unsaved.${deps.user}.`;
    this.#models = [deps.context().model];
    this.#load();
  }

  /** Notes the text in an open editor; `stored` is the id of the stored text that it began with. */
  setTyping(place: TextPlace, text: string, label: string, stored?: string): void {
    const key = keyOf(place);
    const { id = stored ?? newId(), name = this.#nameOf(place) } = this.#typing.get(key) ?? {};
    this.#typing.set(key, { ...place, id, text, label, name, at: this.#deps.clock.now() });
    this.#cancelStoring ??= this.#deps.clock.after(STORE_TYPING_AFTER_MS, () => {
      this.#cancelStoring = undefined;
      for (const typed of this.#typing.values())
        this.#put({ ...typed, reason: messages.pageClosed(), tab: this.#deps.lease.tab });
      this.#publish();
    });
  }

  /** The id of the text in an open editor; null where nothing was typed. Storing the text keeps it. */
  typingId(place: TextPlace): string | null {
    return this.#typing.get(keyOf(place))?.id ?? null;
  }

  /** Whether a text of this record is being typed or looked up, or could not be saved. */
  hasTextOf(record: string): boolean {
    const all = [...this.#typing.values(), ...this.#stored.values()];
    return all.some((text) => text.record === record);
  }

  /** The text became an edit, or its author discarded it. */
  clearTyping(place: TextPlace): void {
    const key = keyOf(place);
    const typed = this.#typing.get(key);
    this.#typing.delete(key);
    // It was stored if the page was closed and restored.
    if (typed && this.#stored.has(typed.id)) this.discard(typed.id);
  }

  /**
   * Holds the text of an editor that is closed before it is known what the text names, as if it were still open: another editor of the
   * same place has a text of its own. The returned function ends that.
   */
  holdTyped(place: TextPlace): () => void {
    const key = keyOf(place);
    const typed = this.#typing.get(key);
    if (!typed) return () => {};
    this.#typing.delete(key);
    return this.#hold(typed);
  }

  /** Holds a text that is pasted before it is known what it names, like one that was typed. The returned function ends that. */
  holdPasted(place: TextPlace, text: string, label: string): () => void {
    const name = this.#nameOf(place);
    return this.#hold({ ...place, id: newId(), text, label, name, at: this.#deps.clock.now() });
  }

  #hold(text: Omit<UnsavedText, "reason">): () => void {
    this.#typing.set(text.id, text);
    return () => {
      this.#typing.delete(text.id);
      if (this.#stored.has(text.id)) this.discard(text.id);
    };
  }

  /** Adds a text that could not be saved. It is shown to its author until they use or discard it. Returns its id; null if it is blank. */
  add(text: Omit<UnsavedText, "at" | "id" | "name">): string | null {
    if (text.text.trim() === "") return null;
    const id = newId();
    const typed = [...this.#typing.values()].find((one) => keyOf(one) === keyOf(text));
    const name = this.#nameOf(text) ?? typed?.name;
    this.#put({ ...text, name, id, at: this.#deps.clock.now() });
    this.#publish();
    return id;
  }

  /** Adds the values of an op that are not in its `remaining` part, because their record or field is gone. */
  addRemoved({ table, record, op }: ScopedOp, remaining: WireOp | null, reason: string): void {
    const remainingValues = remaining ? valuesOf(remaining) : {};
    for (const [field, value] of Object.entries(valuesOf(op))) {
      if (!Object.hasOwn(remainingValues, field)) {
        this.addValue({ table, record, field }, value, reason);
      }
    }
  }

  /** Adds a value that could not be saved, unless it is empty. */
  addValue(place: TextPlace, value: Json, reason: string): void {
    if (value === null) return;
    const text = typeof value === "string" ? value : JSON.stringify(value);
    this.add({ ...place, text, reason, label: this.#labelOf(place) });
  }

  /** The labels of table and field, as far as one of the last models had them. */
  #labelOf({ table: name, field }: TextPlace): string {
    const models = [this.#deps.context().model, ...this.#models];
    const tables = models.flatMap((model) => resolveTable(model, name) ?? []);
    const [known] = tables.flatMap((table) => resolveField(table, field) ?? []);
    return `${tables[0]?.label ?? name} · ${known?.label ?? field}`;
  }

  discard(id: string): void {
    this.#remove(id);
    this.#publish();
  }

  /** The rights in a table that is open have changed: what records are called that are no longer visible is forgotten. */
  forgetNames(table: string, visible: (record: string) => boolean): void {
    const isHidden = (one: TextPlace) => one.table === table && !visible(one.record);
    for (const [key, typed] of this.#typing)
      if (isHidden(typed)) this.#typing.set(key, { ...typed, name: undefined });
    const named = [...this.#stored.values()].filter((one) => one.name !== undefined);
    for (const text of named.filter(isHidden)) {
      this.#stored.set(text.id, { ...text, name: undefined });
      this.#write(text.id);
    }
    this.#publish();
  }

  /** The model, or what of it is visible, has changed: names in fields that are no longer there are forgotten. */
  forgetHidden(): void {
    const { model } = this.#deps.context();
    const tables = new Set([...this.#stored.values(), ...this.#typing.values()].map(tableOf));
    for (const name of tables) {
      const table = resolveTable(model, name);
      if (!table || !findField(table, table.display)) this.forgetNames(name, () => false);
    }
    const [latest] = this.#models;
    if (latest !== model) this.#models = latest ? [model, latest] : [model];
  }

  /** What a record is called now, as far as it is loaded. */
  #nameOf({ table: name, record }: TextPlace): string | undefined {
    const table = resolveTable(this.#deps.context().model, name);
    const values = this.#deps.store.get(tableAtom(name)).get(record)?.values;
    return (table && displayText(table, values)) ?? undefined;
  }

  /**
   * Another tab has written or deleted an entry of the storage: a text that is shown here is shown as it is stored now. Deletes nothing,
   * because the other tab may have stored the text again since.
   */
  changedElsewhere(key: string): void {
    const id = key.slice(this.#prefix.length);
    // What this page could not store is newer.
    if (!key.startsWith(this.#prefix) || !this.#stored.has(id) || this.#unstored.has(id)) return;
    withStorage(this.#deps.storage, (storage) => {
      const entry = storage.getItem(key);
      const text = readStored(entry ?? "");
      if (text) this.#stored.set(id, { ...text, id });
      else if (entry === null) this.#stored.delete(id);
    });
    this.#publish();
  }

  /**
   * Stores texts in open editors for other tabs to list, because the page is about to close, or in the background, where a system may end it.
   * Returns whether every text is stored.
   */
  storeTyping(): boolean {
    this.#cancelStoring?.();
    this.#cancelStoring = undefined;
    const reason = messages.pageClosed();
    for (const text of this.#typing.values()) this.#put({ ...text, reason });
    return this.#unstored.size === 0;
  }

  /** Lists the texts that were being typed in tabs which no longer exist. */
  async adopt(): Promise<void> {
    const { lease } = this.#deps;
    for (const [id, { tab }] of this.#readAll()) {
      if (tab === undefined || tab === lease.tab) continue;
      await lease.takeOver(tab, async () => {
        // What the tab has written last, or removed, since it was read here.
        const text = this.#readAll().get(id);
        if (text?.tab === tab) this.#put({ ...text, id, tab: undefined });
        this.#publish();
      });
    }
  }

  /** The page ends. What it has stored stays. */
  stop(): void {
    this.#cancelStoring?.();
  }

  /** Tries again to store what the storage has refused. */
  retry(): void {
    for (const id of [...this.#unstored]) this.#write(id);
  }

  /** The same text of the same place is stored once, but for one that is still being typed. */
  #put(text: StoredText): void {
    for (const other of text.tab === undefined ? this.#stored.values() : []) {
      const isSame = keyOf(other) === keyOf(text) && other.text === text.text;
      if (isSame && other.id !== text.id) this.#remove(other.id);
    }
    this.#stored.set(text.id, text);
    this.#write(text.id);
  }

  #write(id: string): void {
    const text = JSON.stringify(this.#stored.get(id));
    const isStored = withStorage(this.#deps.storage, (storage) =>
      storage.setItem(this.#prefix + id, text),
    );
    if (isStored) this.#unstored.delete(id);
    else this.#unstored.add(id);
    this.#deps.onStored(this.#unstored.size === 0);
  }

  #remove(id: string): void {
    this.#stored.delete(id);
    this.#unstored.delete(id);
    withStorage(this.#deps.storage, (storage) => storage.removeItem(this.#prefix + id));
    this.#deps.onStored(this.#unstored.size === 0);
  }

  #load(): void {
    const { tab: ownTab } = this.#deps.lease;
    for (const [id, { tab, ...text }] of this.#readAll())
      if (tab === undefined || tab === ownTab) this.#stored.set(id, { ...text, id });
    this.#publish();
  }

  /** What is stored for this user, by id. */
  #readAll(): Map<string, z.infer<typeof storedSchema>> {
    const all = new Map<string, z.infer<typeof storedSchema>>();
    withStorage(this.#deps.storage, (storage) => {
      const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? "");
      for (const key of keys.filter((each) => each.startsWith(this.#prefix))) {
        const text = readStored(storage.getItem(key) ?? "");
        if (text) all.set(key.slice(this.#prefix.length), text);
      }
    });
    return all;
  }

  #publish(): void {
    const listed = [...this.#stored.values()].filter(({ tab }) => tab === undefined);
    const texts = listed.sort((a, b) => b.at - a.at);
    this.#deps.store.set(unsavedTextsAtom, texts);
  }
}

/** A text as it is stored: while it is being typed, with the name of its tab. */
type StoredText = UnsavedText & { readonly tab?: string | undefined };

/** A stored text; null if the entry can't be read, which is left as it is. */
function readStored(entry: string): z.infer<typeof storedSchema> | null {
  try {
    return storedSchema.parse(JSON.parse(entry));
  } catch {
    return null;
  }
}

function tableOf({ table }: TextPlace): string {
  return table;
}

function keyOf({ table, record, field }: TextPlace): string {
  return JSON.stringify([table, record, field]);
}
