import { z } from "zod";
import type { AtomStore } from "../../state/atom-store.ts";
import { draftAtom } from "../../state/draft-state.ts";
import { type TextStorage, withStorage } from "../../transport/storage/browser-storage.ts";
import type { TabLease } from "../../transport/tab-lease.ts";
import type { Clock } from "../clock.ts";
import { type StoredEdit, type WallboardApi, WallboardDraft } from "./wallboard-draft.ts";
import { editText } from "./wallboard-edits.ts";

/** The server's wallboards, and the user-visible messages of its refusals. */
export interface WallboardServer {
  api(wallboard: string): WallboardApi;
  describe(error: unknown): string;
}

/** Checks only the outer structure: the server validates every edit. */
const partSchema = z.looseObject({ tiles: z.array(z.looseObject({ id: z.string() })) });
const storedSchema = z.object({
  tab: z.string(),
  board: z.string(),
  edits: z.array(z.object({ from: partSchema, to: partSchema, asks: z.boolean() })),
});

/**
 * The wallboards that one user edits, with one draft of each for the whole page. Edits that are not saved are stored in
 * this browser for their author, and sent by the next page where this one was left. Sending an edit twice would be
 * harmless: it carries what its author saw.
 */
export class WallboardDrafts {
  readonly #deps;
  readonly #prefix: string;
  readonly #drafts = new Map<string, WallboardDraft>();
  /** Wallboards with edits that only this page has. */
  readonly #unstored = new Map<string, readonly StoredEdit[]>();

  constructor(deps: {
    server: WallboardServer;
    store: AtomStore;
    clock: Clock;
    user: string;
    lease: TabLease;
    storage: TextStorage | null;
    canSend(): boolean;
    /** Called with an edit that can never be saved, as its author can copy it, and why. */
    onRefused(text: string, wallboard: string, reason: string): void;
    /** Called whenever the number of waiting edits, or whether all are stored, may have changed. */
    onChanged(): void;
  }) {
    this.#deps = deps;
    this.#prefix = `watchfloor.board-edits.${deps.user}.`;
  }

  /** The number of edits that the server has not answered. */
  get waiting(): number {
    return [...this.#drafts.values()].reduce((sum, { waiting }) => sum + waiting, 0);
  }

  /** Whether edits would be lost with the page. */
  get hasUnstored(): boolean {
    return this.#unstored.size > 0;
  }

  /** Reads a wallboard's draft, which `draftAtom(wallboard)` shows, with edits that were made before it was left. */
  open(wallboard: string): WallboardDraft {
    const draft = this.#draftOf(wallboard);
    void draft.refresh();
    return draft;
  }

  /** Sends stored edits: those of this tab from before a reload, and those of tabs that are gone. */
  async adopt(): Promise<void> {
    const { lease } = this.#deps;
    for (const { key, tab, board } of this.#load()) {
      if (tab === lease.tab) this.#draftOf(board);
      else await lease.takeOver(tab, async () => this.#takeOver(key));
    }
    // What the storage has refused before.
    for (const [wallboard, edits] of this.#unstored) this.#put(wallboard, edits);
  }

  /** Sends nothing any more. Stored edits stay stored. */
  stop(): void {
    for (const draft of this.#drafts.values()) draft.stop();
  }

  #draftOf(wallboard: string): WallboardDraft {
    const known = this.#drafts.get(wallboard);
    if (known) return known;
    const { server, store, clock, canSend, lease } = this.#deps;
    const draft = new WallboardDraft({
      ...{ store, clock, canSend },
      api: server.api(wallboard),
      atom: draftAtom(wallboard),
      describe: (error) => server.describe(error),
      onUnsaved: (edits) => this.#put(wallboard, edits),
      onRefused: (edit, reason) => this.#deps.onRefused(editText(edit), wallboard, reason),
    });
    const own = this.#load().find((one) => one.tab === lease.tab && one.board === wallboard);
    this.#drafts.set(wallboard, draft);
    draft.restore(own?.edits ?? []);
    return draft;
  }

  #takeOver(key: string): void {
    const found = this.#load().find((one) => one.key === key);
    if (!found) return;
    withStorage(this.#deps.storage, (storage) => storage.removeItem(key));
    this.#draftOf(found.board).restore(found.edits);
  }

  #put(wallboard: string, edits: readonly StoredEdit[]): void {
    const { tab } = this.#deps.lease;
    const key = `${this.#prefix}${tab}.${wallboard}`;
    const isStored = withStorage(this.#deps.storage, (storage) => {
      if (edits.length === 0) storage.removeItem(key);
      else storage.setItem(key, JSON.stringify({ tab, board: wallboard, edits }));
    });
    if (isStored || edits.length === 0) this.#unstored.delete(wallboard);
    else this.#unstored.set(wallboard, edits);
    this.#deps.onChanged();
  }

  /** The stored edits of all tabs. An entry that can't be read is left as it is. */
  #load(): { key: string; tab: string; board: string; edits: StoredEdit[] }[] {
    const texts: [key: string, text: string][] = [];
    withStorage(this.#deps.storage, (storage) => {
      for (let at = 0; at < storage.length; at++) {
        const key = storage.key(at) ?? "";
        if (key.startsWith(this.#prefix)) texts.push([key, storage.getItem(key) ?? ""]);
      }
    });
    return texts.flatMap(([key, text]) => {
      const stored = readStored(text);
      return stored ? [{ key, ...stored }] : [];
    });
  }
}

function readStored(text: string) {
  try {
    const { edits, ...place } = storedSchema.parse(JSON.parse(text));
    return { ...place, edits: edits as unknown as StoredEdit[] };
  } catch {
    return null;
  }
}
