import type { Json } from "../../../shared/filter/filter.ts";
import type { Model } from "../../../shared/model/model.ts";
import type { AtomStore } from "../state/atom-store.ts";
import type { EditStorage } from "../transport/edit-storage.ts";
import type { TabLease } from "../transport/tab-lease.ts";
import type { Transport } from "../transport/transport.ts";
import type { Clock } from "./clock.ts";
import type { PendingEdits } from "./pending-edits.ts";
import type { PresenceReporter } from "./presence.ts";
import type { TableSession } from "./table-session.ts";
import type { UndoStack } from "./undo-stack.ts";
import type { BoardFollowers } from "./wallboards/board-followers.ts";

/** Who works here and on what model; read anew at every use, so a new model needs no new core. */
export interface CoreContext {
  user: { id: string; name: string; attributes: Readonly<Record<string, Json>> };
  model: Model;
}

export interface ClientCoreOptions {
  transport: Transport;
  storage: EditStorage;
  store: AtomStore;
  context: () => CoreContext;
  lease?: TabLease;
  clock?: Clock;
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
  readonly edits: PendingEdits;
  readonly undo: UndoStack;
  readonly presence: PresenceReporter;
  /** Boards of tiles: `boardAtom(board, draft)` shows what is followed. */
  readonly boards: Pick<BoardFollowers, "open">;
}
