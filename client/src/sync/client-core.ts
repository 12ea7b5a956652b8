import type { AtomStore } from "../state/atom-store.ts";
import type { EditStorage } from "../transport/edit-storage.ts";
import type { TabLease } from "../transport/tab-lease.ts";
import type { TextStorage } from "../transport/text-storage.ts";
import type { Transport } from "../transport/transport.ts";
import type { Clock } from "./clock.ts";
import type { PresenceReporter } from "./connection/presence.ts";
import type { CoreContext } from "./core-context.ts";
import type { PendingEdits } from "./edits/pending-edits.ts";
import type { UndoStack } from "./edits/undo-stack.ts";
import type { UnsavedTexts } from "./edits/unsaved-texts.ts";
import type { WallboardFollowers } from "./wallboards/wallboard-followers.ts";
import type { TableSession } from "./window/table-session.ts";

export interface ClientCoreOptions {
  transport: Transport;
  storage: EditStorage;
  store: AtomStore;
  context: () => CoreContext;
  lease?: TabLease;
  clock?: Clock;
  /** Where typed texts are kept; in memory only unless given. */
  texts?: TextStorage | null;
}

/**
 * The browser's half of the protocol for one signed-in person: made once after sign-in, stopped at
 * sign-out. It needs neither React nor a page, so a fuzz, a bench or a bot runs the same code.
 *
 * Guarantees: what a table shows is what the server committed, in order and without gap, plus the
 * person's own pending edits; an edit that `edits` took is delivered exactly once or handed back.
 */
export interface ClientCore {
  /** Connects, loads stored edits, sends them once every open table has caught up. */
  start(): void;
  /** Leaves the line; stored edits stay stored. The core can't be started again. */
  stop(): Promise<void>;
  /** The browser's own word on the network: `true` tries at once, `false` stops trying. */
  setOnline(online: boolean): void;
  /** After a new sign-in of the same person: tries again with the new session. */
  reconnect(): void;
  /**
   * The model, as far as the person may know it, is another one: edits that hold values of tables and
   * fields which it no longer has leave this browser, also those of tables that are not open.
   */
  forgetHidden(): void;
  /** Follows a table. Counted: every opener calls `close()` on what it got. */
  openTable(table: string): TableSession;
  /** Whose core it is. */
  readonly user: CoreContext["user"];
  readonly edits: PendingEdits;
  /** What was typed and is no edit. */
  readonly texts: UnsavedTexts;
  readonly undo: UndoStack;
  readonly presence: PresenceReporter;
  /** Boards of tiles: `wallboardAtom(board, draft)` shows what is followed. */
  readonly wallboards: Pick<WallboardFollowers, "open">;
}
