import type { WireChange } from "../../../../shared/protocol/feed.ts";
import type { EditRef } from "../../state/record-view.ts";
import type { CoreParts } from "../core-parts.ts";
import { Overlay } from "../edits/overlay.ts";
import type { TableSession } from "../window/table-session.ts";
import { TableFollower } from "./table-follower.ts";

/** A table stays followed a little longer than it is shown, since users go back and forth. */
const LINGER_MS = 2_000;
const UNSUBSCRIBE_TIMEOUT_MS = 15_000;

interface Followed {
  follower: TableFollower;
  openers: number;
  cancelLinger: (() => void) | null;
}

/** The tables that this page follows, each once for all who opened it. */
export class FollowedTables {
  readonly #deps;
  readonly #tables = new Map<string, Followed>();
  readonly #overlays = new Map<string, Overlay>();
  #isStopped = false;

  constructor(
    deps: CoreParts & {
      isUp(): boolean;
      onProgress(): void;
      onSessionEnded(): void;
      onScopeChanged(table: string, visible: (record: string) => boolean): void;
      onAgreed(edit: EditRef, field: string): void;
      onRightsChanged(): void;
      /** Changes of a followed table, in the order of the log. */
      onChanges(table: string, changes: readonly WireChange[], epoch: string): void;
      /** Nobody shows the table any more. */
      onUnfollowed(table: string): void;
    },
  ) {
    this.#deps = deps;
  }

  get isCaughtUp(): boolean {
    return this.all().every(({ isCaughtUp }) => isCaughtUp);
  }

  all(): TableFollower[] {
    return [...this.#tables.values()].map(({ follower }) => follower);
  }

  get(table: string): TableFollower | undefined {
    return this.#tables.get(table)?.follower;
  }

  /** The user's own ops over a table, followed or not. */
  overlay(table: string): Overlay {
    const known = this.#overlays.get(table);
    if (known) return known;
    const made = new Overlay();
    this.#overlays.set(table, made);
    return made;
  }

  open(table: string): TableSession {
    const followed = this.#follow(table);
    followed.openers += 1;
    followed.cancelLinger?.();
    followed.cancelLinger = null;
    let isOpen = true;
    return session(followed.follower, () => {
      if (isOpen) this.#closeOne(table, followed);
      isOpen = false;
    });
  }

  stop(): void {
    this.#isStopped = true;
    for (const { follower, cancelLinger } of this.#tables.values()) {
      cancelLinger?.();
      follower.close();
    }
    this.#tables.clear();
  }

  #follow(table: string): Followed {
    const known = this.#tables.get(table);
    if (known) return known;
    const follower = new TableFollower({
      ...this.#deps,
      table,
      overlay: this.overlay(table),
      onScopeChanged: (visible) => this.#deps.onScopeChanged(table, visible),
    });
    const made: Followed = { follower, openers: 0, cancelLinger: null };
    this.#tables.set(table, made);
    if (this.#deps.isUp()) follower.onConnected();
    return made;
  }

  #closeOne(table: string, followed: Followed): void {
    followed.openers -= 1;
    if (followed.openers > 0 || this.#isStopped) return;
    const { clock, transport, isUp, onUnfollowed, onProgress } = this.#deps;
    followed.cancelLinger = clock.after(LINGER_MS, () => {
      this.#tables.delete(table);
      followed.follower.close();
      onUnfollowed(table);
      if (isUp()) transport.call("unsubscribe", { table }, UNSUBSCRIBE_TIMEOUT_MS).catch(() => {});
      onProgress();
    });
  }
}

/** One opener's handle on a shared follower. */
function session(follower: TableFollower, close: () => void): TableSession {
  return {
    table: follower.table,
    get phase() {
      return follower.phase;
    },
    get position() {
      return follower.position;
    },
    counters: follower.counters,
    openWindow: (view) => follower.openWindow(view),
    get: (record) => follower.get(record),
    hold: (record) => follower.hold(record),
    retain: (record) => follower.retain(record),
    release: (record) => follower.release(record),
    onTouched: (callback) => follower.onTouched(callback),
    close,
  };
}
