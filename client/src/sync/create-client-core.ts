import type { Json } from "../../../shared/filter/filter.ts";
import { findTable } from "../../../shared/model/model.ts";
import type { MutateCall, WireOp } from "../../../shared/protocol/mutate.ts";
import { errorMessages as messages } from "../messages/en/errors.ts";
import {
  clockOffsetAtom,
  editCountsAtom,
  editsStoredAtom,
  modelUpdatesAtom,
  modelVersionAtom,
} from "../state/connection-state.ts";
import { editIssuesAtom } from "../state/edit-issues.ts";
import { storeUpdate, storeUpdateOfAll } from "../state/updates.ts";
import { singleTabLease } from "../transport/tab-lease.ts";
import type { ServerMessageName, ServerMessages } from "../transport/transport.ts";
import type { ClientCore, ClientCoreOptions } from "./client-core.ts";
import { systemClock } from "./clock.ts";
import { Connection } from "./connection/connection.ts";
import { PresenceHeartbeat } from "./connection/presence-heartbeat.ts";
import { ServerClock } from "./connection/server-clock.ts";
import type { CoreContext } from "./core-context.ts";
import { EditService } from "./edits/edit-service.ts";
import { EditStore } from "./edits/edit-store.ts";
import { EditTracker } from "./edits/edit-tracker.ts";
import { valuesOf } from "./edits/pending-op.ts";
import { RecordDrafts } from "./edits/record-drafts.ts";
import { UndoJournal } from "./edits/undo-journal.ts";
import { UnsavedTexts } from "./edits/unsaved-texts.ts";
import { limitToModel, limitToRecords, type ScopedOp } from "./edits/visibility.ts";
import { FollowedTables } from "./feed/followed-tables.ts";
import { WallboardFollowers } from "./wallboards/wallboard-followers.ts";
import type { TableSession } from "./window/table-session.ts";

const MUTATE_TIMEOUT_MS = 15_000;
/** Edits of tabs that are gone are looked for this often. */
const ADOPT_EVERY_MS = 15_000;

/** Builds and connects the parts of the client core; decides nothing itself. */
export function createClientCore(options: ClientCoreOptions): ClientCore {
  return new Core(options);
}

class Core implements ClientCore {
  readonly edits: EditService;
  readonly texts: UnsavedTexts;
  readonly undo: UndoJournal;
  readonly presence: PresenceHeartbeat;
  readonly wallboards: WallboardFollowers;
  readonly #options: ClientCoreOptions & Required<Pick<ClientCoreOptions, "clock" | "lease">>;
  readonly #connection: Connection;
  readonly #tracker: EditTracker;
  readonly #drafts: RecordDrafts;
  readonly #editStore: EditStore;
  readonly #isStored = { edits: true, texts: true };
  readonly #serverClock = new ServerClock();
  readonly #tables: FollowedTables;
  #cancelAdopt: (() => void) | null = null;
  #isStopped = false;

  constructor(options: ClientCoreOptions) {
    const { clock = systemClock, lease = singleTabLease(clock.newId()) } = options;
    this.#options = { ...options, clock, lease };
    const { transport, store, storage, context } = options;
    const user = context().user.id;
    this.texts = new UnsavedTexts({
      store,
      clock,
      user,
      storage: options.texts ?? null,
      onStored: (isStored) => this.#reportStored({ texts: isStored }),
    });
    this.#tables = new FollowedTables({
      transport,
      store,
      clock,
      context,
      serverNow: () => clock.now() + this.#serverClock.offsetMs,
      isUp: () => this.#connection.isUp,
      onProgress: () => {
        this.#connection.onProgress();
        this.#tracker.pump();
      },
      onSessionEnded: () => this.#connection.end("signedOut"),
      onScopeChanged: (table, visible) =>
        this.#tracker.applyVisibility(limitToRecords(table, visible), (op, remainingOp) =>
          this.#storeTypedValues(op, remainingOp, messages.recordGone()),
        ),
      onRightsChanged: () => store.set(modelUpdatesAtom, store.get(modelUpdatesAtom) + 1),
      onUnfollowed: (table) => this.presence.leave(table),
    });
    const confirmed = (table: string, record: string) => this.#tables.get(table)?.confirmed(record);
    const overlay = (table: string) => this.#tables.overlay(table);
    this.#connection = new Connection({
      transport,
      store,
      clock,
      isCaughtUp: () => this.#tables.isCaughtUp,
      onUp: () => {
        for (const follower of this.#tables.all()) follower.onConnected();
        this.wallboards.onConnected();
        storeUpdateOfAll(this.#options.store);
      },
      onDown: () => {
        for (const follower of this.#tables.all()) follower.onDisconnected();
        this.wallboards.onDisconnected();
        this.presence.onDisconnected();
      },
      onReady: () => {
        this.#tracker.pump();
        this.presence.onReady();
      },
    });
    const tableOf = (name: string) => findTable(context().model, name);
    this.undo = new UndoJournal({
      store,
      clock,
      storage: options.undo ?? null,
      confirmed,
      tableOf,
      currentId: (table, record) => this.edits.currentId(table, record),
      tracker: () => this.#tracker,
    });
    const editStore = new EditStore(storage, lease, user, clock, (isStored) =>
      this.#reportStored({ edits: isStored }),
    );
    this.#editStore = editStore;
    this.#drafts = new RecordDrafts({
      clock,
      store: editStore,
      overlay,
      tableOf,
      submitDraft: (draft) => this.#tracker.submitDraft(draft),
      onCounts: () => this.#count(),
    });
    this.#tracker = new EditTracker({
      clock,
      store: editStore,
      drafts: () => this.#drafts,
      send: (call: MutateCall) => transport.call("mutate", call, MUTATE_TIMEOUT_MS),
      isReady: () => this.#connection.isOpen,
      isTableReady: (table) => this.#tables.get(table)?.isCaughtUp ?? true,
      onSessionEnded: () => this.#connection.end("signedOut"),
      overlay,
      position: (table) => this.#tables.get(table)?.position ?? null,
      journal: this.undo,
      visiblePart: (op) => limitToModel(context().model)(op),
      limits: () => context().limits,
      onCounts: () => this.#count(),
    });
    this.edits = new EditService({
      tracker: this.#tracker,
      drafts: this.#drafts,
      tableOf,
      newId: () => clock.newId(),
      overlay,
      confirmed,
    });
    this.presence = new PresenceHeartbeat({
      transport,
      clock,
      store,
      isReady: () => this.#connection.isReady,
      limits: () => context().limits,
    });
    this.wallboards = new WallboardFollowers({
      transport,
      clock,
      store,
      isUp: () => this.#connection.isUp,
    });
  }

  get user(): CoreContext["user"] {
    return this.#options.context().user;
  }

  start(): void {
    this.#options.transport.listen({
      onUp: () => this.#connection.up(),
      onDown: (code) => this.#connection.down(code),
      onMessage: (name, message) => this.#receive(name, message),
      onUnreadable: (name, table) => this.#unreadable(name, table),
    });
    void this.#adopt();
    this.#connection.connect();
  }

  async stop(): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#cancelAdopt?.();
    this.#connection.stop();
    this.presence.stop();
    this.wallboards.stop();
    this.#tracker.stop();
    this.#editStore.stop();
    this.undo.stop();
    this.#tables.stop();
    this.#options.lease.release();
  }

  setOnline(online: boolean): void {
    this.#connection.setOnline(online);
  }

  reconnect(): void {
    this.#connection.connect();
  }

  storeBeforeLeaving(): boolean {
    this.undo.persist();
    return this.texts.storeTyping() && !this.#editStore.hasUnstored;
  }

  forgetHidden(): void {
    this.#tracker.applyVisibility(limitToModel(this.#options.context().model), (op, remainingOp) =>
      this.#storeTypedValues(op, remainingOp, messages.fieldGone()),
    );
    for (const { field, value, ...op } of this.#drafts.applyModel()) {
      this.#storeUnsavedText(op, { field, value, reason: messages.fieldGone() });
    }
  }

  /** Stores values typed by the user whose record or field is gone, so that they are not lost. */
  #storeTypedValues(op: ScopedOp, remainingOp: WireOp | null, reason: string): void {
    const remaining = remainingOp ? valuesOf(remainingOp) : {};
    for (const [field, value] of Object.entries(valuesOf(op.op))) {
      if (!Object.hasOwn(remaining, field)) this.#storeUnsavedText(op, { field, value, reason });
    }
  }

  #storeUnsavedText(
    { table, record }: Pick<ScopedOp, "table" | "record">,
    { field, value, reason }: { field: string; value: Json; reason: string },
  ): void {
    if (value === null) return;
    const text = typeof value === "string" ? value : JSON.stringify(value);
    this.texts.add({ table, record, field, text, reason, label: `${table} · ${field}` });
  }

  openTable(table: string): TableSession {
    return this.#tables.open(table);
  }

  #reportStored(part: Partial<{ edits: boolean; texts: boolean }>): void {
    const { edits, texts } = Object.assign(this.#isStored, part);
    this.#options.store.set(editsStoredAtom, edits && texts);
  }

  async #adopt(): Promise<void> {
    this.#cancelAdopt = this.#options.clock.after(ADOPT_EVERY_MS, () => void this.#adopt());
    this.texts.retry();
    await this.#tracker.adopt();
    if (!this.#isStopped) this.forgetHidden();
  }

  #receive<K extends ServerMessageName>(name: K, message: ServerMessages[K]): void {
    if (this.#isStopped) return;
    this.#connection.onMessageReceived();
    this.#handlers[name](message);
  }

  readonly #handlers: { [K in ServerMessageName]: (message: ServerMessages[K]) => void } = {
    changes: (message) => this.#tables.get(message.table)?.incoming.changes(message),
    heads: ({ tables, now }) => {
      const { clock, store } = this.#options;
      store.set(clockOffsetAtom, this.#serverClock.addSample(now, clock.now()));
      for (const [table, head] of Object.entries(tables)) {
        this.#tables.get(table)?.incoming.heads(head);
      }
      // The server no longer lists a table whose `resync` message got lost.
      for (const { table, incoming } of this.#tables.all()) {
        if (!Object.hasOwn(tables, table)) incoming.missed();
      }
    },
    resync: ({ table, reason }) => this.#tables.get(table)?.incoming.forget(reason),
    presence: (message) => this.presence.received(message),
    model: ({ version }) => {
      const { store } = this.#options;
      store.set(modelVersionAtom, version);
      store.set(modelUpdatesAtom, store.get(modelUpdatesAtom) + 1);
      storeUpdateOfAll(store);
      // A table that was refused before may be readable now.
      for (const follower of this.#tables.all()) {
        if (follower.phase === "refused") follower.onConnected();
      }
      this.wallboards.onRightsChanged();
    },
    notice: (notice) => {
      if (notice.kind === "health") this.#connection.setDegraded(notice.degraded);
      if (notice.kind === "wallboard") this.wallboards.update(notice);
      if (notice.kind !== "health") storeUpdate(this.#options.store, notice);
    },
    frame: (message) => this.wallboards.frame(message),
    proven: (message) => this.wallboards.proven(message),
    goodbye: (message) => this.#connection.goodbye(message),
    // Sent only to displays (client/src/display).
    display: () => {},
  };

  /** An unreadable message may have been a change, so its table (or every table) has a gap. */
  #unreadable(name: string, table: string | null): void {
    if (name !== "changes" && name !== "resync" && name !== "heads") return;
    for (const follower of this.#tables.all()) {
      if (table !== null && table !== follower.table) continue;
      follower.counters.unreadable += 1;
      follower.incoming.missed();
    }
  }

  #count(): void {
    const { store } = this.#options;
    store.set(editCountsAtom, this.#tracker.counts);
    const issues = [...this.#tracker.refused.issues, ...this.#drafts.issues];
    if (issues.length + store.get(editIssuesAtom).length > 0) store.set(editIssuesAtom, issues);
  }
}
