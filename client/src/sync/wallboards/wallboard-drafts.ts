import { z } from "zod";
import type { AtomStore } from "../../state/atom-store.ts";
import { draftAtom } from "../../state/draft-state.ts";
import type { Clock } from "../clock.ts";
import type { DraftStorage } from "../documents/draft-storage.ts";
import { type StoredEdit, type WallboardApi, WallboardDraft } from "./wallboard-draft.ts";
import { editText } from "./wallboard-edits.ts";

/** The server's wallboards, and the user-visible messages of its refusals. */
export interface WallboardServer {
  api(wallboard: string): WallboardApi;
  describe(error: unknown): string;
}

/** Checks only the outer structure: the server validates every edit. */
const partSchema = z.looseObject({ tiles: z.array(z.looseObject({ id: z.string() })) });
const editsSchema = z.array(z.object({ from: partSchema, to: partSchema, asks: z.boolean() }));

/** How the names of wallboards' drafts begin in `DraftStorage`. */
export const WALLBOARD = "wallboard.";

/**
 * The wallboards that one user edits, with one draft of each for the whole page. Edits that are not saved are stored in
 * this browser for their author, and sent by the next page where this one was left. Sending an edit twice would be
 * harmless: it carries what its author saw.
 */
export class WallboardDrafts {
  readonly #deps;
  readonly #drafts = new Map<string, WallboardDraft>();

  constructor(deps: {
    server: WallboardServer;
    store: AtomStore;
    clock: Clock;
    storage: DraftStorage;
    canSend(): boolean;
    /** Called with an edit that can never be saved, as its author can copy it, and why. */
    onRefused(text: string, wallboard: string, reason: string): void;
    /** Called whenever the number of waiting edits may have changed. */
    onChanged(): void;
  }) {
    this.#deps = deps;
  }

  /** The number of edits that the server has not answered. */
  get waiting(): number {
    return [...this.#drafts.values()].reduce((sum, { waiting }) => sum + waiting, 0);
  }

  /** Reads a wallboard's draft, which `draftAtom(wallboard)` shows, with edits that were made before it was left. */
  open(wallboard: string): WallboardDraft {
    const draft = this.#draftOf(wallboard);
    void draft.refresh();
    return draft;
  }

  /** Sends stored edits: those of this tab from before a reload, and those of tabs that are gone. */
  async adopt(): Promise<void> {
    const { storage } = this.#deps;
    for (const document of storage.documents()) {
      if (document.startsWith(WALLBOARD)) this.#draftOf(document.slice(WALLBOARD.length));
    }
    await storage.adopt(WALLBOARD, (document, stored) => {
      const edits = readEdits(stored);
      if (edits) this.#draftOf(document.slice(WALLBOARD.length)).restore(edits);
      return edits !== null;
    });
  }

  /** Sends nothing any more. Stored edits stay stored. */
  stop(): void {
    for (const draft of this.#drafts.values()) draft.stop();
  }

  #draftOf(wallboard: string): WallboardDraft {
    const known = this.#drafts.get(wallboard);
    if (known) return known;
    const { server, store, clock, storage, canSend } = this.#deps;
    const draft = new WallboardDraft({
      ...{ store, clock, canSend },
      api: server.api(wallboard),
      atom: draftAtom(wallboard),
      describe: (error) => server.describe(error),
      onUnsaved: (edits) => this.#put(wallboard, edits),
      onRefused: (edit, reason) => this.#deps.onRefused(editText(edit), wallboard, reason),
    });
    const own = readEdits(storage.own(WALLBOARD + wallboard));
    this.#drafts.set(wallboard, draft);
    if (own) draft.restore(own);
    return draft;
  }

  /** Stored before they are sent: nobody may pause between an edit and the answer to it. */
  #put(wallboard: string, edits: readonly StoredEdit[]): void {
    const { storage, onChanged } = this.#deps;
    storage.put(WALLBOARD + wallboard, () => (edits.length > 0 ? edits : null));
    storage.storeNow();
    onChanged();
  }
}

function readEdits(stored: unknown): StoredEdit[] | null {
  const read = editsSchema.safeParse(stored);
  return read.success ? (read.data as unknown as StoredEdit[]) : null;
}
