import { z } from "zod";
import { type TextStorage, withStorage } from "../../transport/storage/browser-storage.ts";
import type { TabLease } from "../../transport/tab-lease.ts";
import type { Clock } from "../clock.ts";

/**
 * Where drafts of documents are stored: what a user has changed of roles and the model, and edits of wallboards that the
 * server has not answered. Each is stored in this browser for its author, by the tab that has it, so that it survives a
 * reload, a closed tab and a killed browser, and nobody else ever sees it. Two tabs never share one: the drafts of a tab
 * that is gone are taken over by the next page of their author that asks for that document, under the lease of tabs.
 *
 * A draft is written once its author pauses, because a large model takes a while to write, and at the latest before the
 * page is left. What the browser refuses stays in memory and is tried again; the page says so meanwhile.
 */
export class DraftStorage {
  readonly #deps;
  /** Drafts that wait for a pause, or that the browser has refused. */
  readonly #unstored = new Map<string, () => unknown>();
  #cancelPause: (() => void) | null = null;

  constructor(deps: {
    storage: TextStorage | null;
    lease: TabLease;
    clock: Clock;
    user: string;
    /** Called after each attempt to write. */
    onStored(isStored: boolean): void;
  }) {
    this.#deps = deps;
  }

  /** Stores a draft soon. `read` is asked for it then; null deletes it. */
  put(document: string, read: () => unknown): void {
    this.#unstored.set(document, read);
    this.#cancelPause ??= this.#deps.clock.after(PAUSE_MS, () => void this.storeNow());
  }

  /** Writes what is not stored yet. Returns whether the page may be left without a loss. */
  storeNow(): boolean {
    this.#cancelPause?.();
    this.#cancelPause = null;
    for (const [document, read] of this.#unstored) {
      if (this.#write(document, read())) this.#unstored.delete(document);
    }
    this.#deps.onStored(this.#unstored.size === 0);
    return this.#unstored.size === 0;
  }

  /** The documents that this tab has drafts of. */
  documents(): string[] {
    this.storeNow();
    const stored = this.#entries().filter(({ tab }) => tab === this.#deps.lease.tab);
    return [...new Set([...stored.map(({ document }) => document), ...this.#unstored.keys()])];
  }

  /** This tab's draft of a document, not validated; null if it has none. */
  own(document: string): unknown {
    const unstored = this.#unstored.get(document);
    if (unstored) return unstored();
    const { tab } = this.#deps.lease;
    const found = this.#entries().find((one) => one.tab === tab && one.document === document);
    // Its reader stores that of an earlier build anew, at once.
    if (found && found.key !== this.#keyOf(document)) this.#remove(found.key);
    return found?.draft ?? null;
  }

  /** Offers the drafts that closed tabs left of documents that begin so. What `take` declines stays stored for later. */
  async adopt(kind: string, take: (document: string, draft: unknown) => boolean): Promise<void> {
    const { lease } = this.#deps;
    for (const { key, tab, document } of this.#entries()) {
      if (tab === lease.tab || !document.startsWith(kind)) continue;
      await lease.takeOver(tab, async () => {
        // Another tab may have taken it meanwhile.
        const found = this.#entries().find((one) => one.key === key);
        if (found && take(found.document, found.draft)) this.#remove(key);
      });
    }
  }

  #remove(key: string): void {
    withStorage(this.#deps.storage, (storage) => storage.removeItem(key));
  }

  #keyOf(document: string): string {
    return `${PREFIX}${this.#deps.user}.${this.#deps.lease.tab}.${document}`;
  }

  #write(document: string, draft: unknown): boolean {
    const { tab } = this.#deps.lease;
    const isStored = withStorage(this.#deps.storage, (storage) => {
      if (draft === null) storage.removeItem(this.#keyOf(document));
      else storage.setItem(this.#keyOf(document), JSON.stringify({ tab, document, draft }));
    });
    return isStored || draft === null;
  }

  /** The user's stored drafts, of all tabs. One that can't be read is left as it is. */
  #entries(): Entry[] {
    const { storage, user } = this.#deps;
    const entries: Entry[] = [];
    withStorage(storage, (texts) => {
      for (let at = 0; at < texts.length; at++) {
        const key = texts.key(at) ?? "";
        if (![PREFIX, OLD_PREFIX].some((prefix) => key.startsWith(`${prefix}${user}.`))) continue;
        const entry = readEntry(texts.getItem(key) ?? "");
        if (entry) entries.push({ key, ...entry });
      }
    });
    return entries;
  }
}

const PAUSE_MS = 500;
const PREFIX = "watchfloor.drafts.";
/** Where earlier builds stored edits of wallboards, and nothing else. */
const OLD_PREFIX = "watchfloor.board-edits.";

interface Entry {
  key: string;
  tab: string;
  document: string;
  draft: unknown;
}

const entrySchema = z.looseObject({ tab: z.string() });

function readEntry(text: string) {
  try {
    // `board` and `edits` are of earlier builds.
    const { tab, document, draft, board, edits } = entrySchema.parse(JSON.parse(text));
    return { tab, document: String(document ?? `wallboard.${board}`), draft: draft ?? edits };
  } catch {
    return null;
  }
}
