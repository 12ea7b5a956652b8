import type { AtomStore } from "../../state/atom-store.ts";
import { type TextPlace, type UnsavedText, unsavedTextsAtom } from "../../state/unsaved-texts.ts";
import type { TextStorage } from "../../transport/text-storage.ts";
import type { Clock } from "../clock.ts";

/** Of more, the oldest are forgotten. */
const UNSAVED_MAX_TEXTS = 100;
const PAGE_CLOSED = "The page was closed before it was saved.";

export interface TextsDeps {
  store: AtomStore;
  clock: Clock;
  user: string;
  storage: TextStorage | null;
}

/**
 * The texts that the person has typed and that are no edit: those in an open editor, so that a page that goes does
 * not take them along, and those whose field could not be written any more. Kept in this browser for their author.
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

  /** A text stands in an open editor. */
  setTyping(place: TextPlace, text: string, label: string): void {
    this.#typing.set(keyOf(place), { ...place, text, label, at: this.#deps.clock.now() });
  }

  /** It became an edit, or its author has dropped it. */
  clearTyping(place: TextPlace): void {
    this.#typing.delete(keyOf(place));
  }

  /** It could not be saved: shown to its author until they use or discard it. */
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

  /** The page goes: what is being typed is kept as it stands. A page that comes back types on. */
  storeTyping(): void {
    for (const text of this.#typing.values()) this.#put({ ...text, reason: PAGE_CLOSED });
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

  /** A storage that fails costs durability: the page itself still has the text. */
  #withStorage(run: (storage: TextStorage) => void): void {
    try {
      if (this.#deps.storage) run(this.#deps.storage);
    } catch {
      // Kept in memory.
    }
  }
}

function keyOf({ table, record, field }: TextPlace): string {
  return JSON.stringify([table, record, field]);
}
