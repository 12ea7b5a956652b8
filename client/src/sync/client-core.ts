import type { Move } from "../../../shared/protocol/views.ts";
import type { AtomStore } from "../state/atom-store.ts";
import type { EditStorage } from "../transport/edit-storage.ts";
import type { TextStorage } from "../transport/storage/browser-storage.ts";
import type { TabLease } from "../transport/tab-lease.ts";
import type { Transport } from "../transport/transport.ts";
import type { Clock } from "./clock.ts";
import type { PresenceReporter } from "./connection/presence.ts";
import type { CoreContext } from "./core-context.ts";
import type { DraftStorage } from "./documents/draft-storage.ts";
import type { PendingEdits } from "./edits/pending-edits.ts";
import type { UndoStorage } from "./edits/stored-undo.ts";
import type { UndoStack } from "./edits/undo-journal.ts";
import type { UnsavedTexts } from "./edits/unsaved-texts.ts";
import type { TableSession } from "./feed/followed-tables.ts";
import type { WallboardDrafts, WallboardServer } from "./wallboards/wallboard-drafts.ts";
import type { WallboardFollowers } from "./wallboards/wallboard-followers.ts";

export interface ClientCoreOptions {
  transport: Transport;
  storage: EditStorage;
  store: AtomStore;
  context: () => CoreContext;
  lease?: TabLease;
  clock?: Clock;
  /** Storage for unsaved texts and drafts of documents; in memory only unless given. */
  texts?: TextStorage | null;
  /** Storage for undo steps; in memory only unless given. */
  undo?: UndoStorage;
  /** Moves records by hand in a view, for undo; refused unless given. */
  moveRecords?: (view: string, moves: readonly Move[]) => Promise<unknown>;
  /** Where wallboards are edited; nowhere unless given. */
  wallboards?: WallboardServer;
}

/**
 * The client side of the protocol for one signed-in user: created after sign-in, stopped at
 * sign-out. It needs neither React nor a page, so a fuzz test, a bench or a bot runs the same code.
 *
 * Guarantees: a table shows what the server committed, in order and without gaps, plus the user's own
 * pending edits. An edit that `edits` accepted is delivered exactly once or returned to the user.
 */
export interface ClientCore {
  /** Connects, loads stored edits, sends them once every open table has caught up. */
  start(): void;
  /** Disconnects. Stored edits stay stored. The core can't be started again. */
  stop(): Promise<void>;
  /** Reports the browser's network state: `true` connects at once, `false` stops trying. */
  setOnline(online: boolean): void;
  /** Connects again with the new session after the same user has signed in again. */
  reconnect(): void;
  /** Stores undo steps and text being typed. Returns whether the page can be left without losing any input. */
  storeBeforeLeaving(): boolean;
  /**
   * Deletes from this browser all edits with values of tables or fields that the visible model no
   * longer has, including those of tables that are not open.
   */
  forgetHidden(): void;
  /** Follows a table until every caller has called `close()` on the returned session. */
  openTable(table: string): TableSession;
  /** The user that it was created for. */
  readonly userId: string;
  /** The same user with current attributes. */
  readonly user: CoreContext["user"];
  readonly edits: PendingEdits;
  /** Typed text that is not an edit. */
  readonly texts: UnsavedTexts;
  readonly undo: UndoStack;
  readonly presence: PresenceReporter;
  /** Wallboards: `wallboardAtom(wallboard, draft)` shows what is followed. */
  readonly wallboards: Pick<WallboardFollowers, "open">;
  /** Wallboards in the designer. */
  readonly drafts: Pick<WallboardDrafts, "open">;
  /** The stored drafts of documents. */
  readonly documents: DraftStorage;
}
