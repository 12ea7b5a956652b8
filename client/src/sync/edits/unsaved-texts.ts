import { errorMessages as messages } from "../../messages/en/errors.ts";
import type { AtomStore } from "../../state/atom-store.ts";
import { type TextPlace, type UnsavedText, unsavedTextsAtom } from "../../state/unsaved-texts.ts";
import type { TextStorage } from "../../transport/text-storage.ts";
import type { Clock } from "../clock.ts";

/** The oldest texts beyond this number are deleted. */
const UNSAVED_MAX_TEXTS = 100;

export interface TextsDeps {
  store: AtomStore;
  clock: Clock;
  user: string;
  storage: TextStorage | null;
}

/**
 * Typed texts that are not edits: those in an open editor, so that closing the page does not lose them, and those whose
 * field could no longer be written. Stored in this browser for their author.
 */
export class UnsavedTexts {
  readonly #deps: TextsDeps;
  readonly #prefix: string;
  readonly #typing = new Map<string, Omit<UnsavedText, "reason">>();
  #stored = new Map<string, UnsavedText>();

  constructor(deps: TextsDeps) {
    this.#deps = deps;
    this.#prefix = `watchfloor.unsaved.${deps.user}.`;
    this.#load();
  }

  /** Notes the text in an open editor. */
  setTyping(place: TextPlace, text: string, label: string): void {
    this.#typing.set(keyOf(place), { ...place, text, label, at: this.#deps.clock.now() });
  }

  /** The text became an edit, or its author discarded it. */
  clearTyping(place: TextPlace): void {
    this.#typing.delete(keyOf(place));
  }

  /** Adds a text that could not be saved. It is shown to its author until they use or discard it. */
  add(text: Omit<UnsavedText, "at">): void {
    this.clearTyping(text);
    if (text.text.trim() === "") return;
    this.#put({ ...text, at: this.#deps.clock.now() });
    this.#publish();
  }

  discard(place: TextPlace): void {
    this.#stored.delete(keyOf(place));
    this.#withStorage((storage) => storage.removeItem(this.#prefix + keyOf(place)));
    this.#publish();
  }

  /** Stores texts in open editors, because the page is about to close. */
  storeTyping(): void {
    const reason = messages.pageClosed();
    for (const text of this.#typing.values()) this.#put({ ...text, reason });
  }

  #put(text: UnsavedText): void {
    const key = keyOf(text);
    this.#stored.set(key, text);
    this.#withStorage((storage) => storage.setItem(this.#prefix + key, JSON.stringify(text)));
    const [oldest] = [...this.#stored.values()].sort((a, b) => a.at - b.at);
    if (this.#stored.size > UNSAVED_MAX_TEXTS && oldest) this.discard(oldest);
  }

  #load(): void {
    this.#withStorage((storage) => {
      const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? "");
      for (const key of keys.filter((each) => each.startsWith(this.#prefix))) {
        const text = JSON.parse(storage.getItem(key) ?? "null") as UnsavedText | null;
        if (text && typeof text.text === "string") this.#stored.set(keyOf(text), text);
      }
    });
    this.#publish();
  }

  #publish(): void {
    const texts = [...this.#stored.values()].sort((a, b) => b.at - a.at);
    this.#deps.store.set(unsavedTextsAtom, texts);
  }

  /** If storage fails, texts stay in memory only. */
  #withStorage(run: (storage: TextStorage) => void): void {
    try {
      if (this.#deps.storage) run(this.#deps.storage);
    } catch {
      // The text stays in memory.
    }
  }
}

function keyOf({ table, record, field }: TextPlace): string {
  return JSON.stringify([table, record, field]);
}
