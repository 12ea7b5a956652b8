import { Refusal } from "../../../shared/protocol/errors.ts";
import { errorMessages as messages } from "../messages/en/errors.ts";
import {
  clockOffsetAtom,
  connectionAtom,
  editCountsAtom,
  editsStoredAtom,
  modelUpdatesAtom,
  modelVersionAtom,
} from "../state/connection-state.ts";
import { editIssuesAtom } from "../state/edit-issues.ts";
import { wallboardTextPlace } from "../state/unsaved-texts.ts";
import { storeUpdate, storeUpdateOfAll } from "../state/updates.ts";
import { setPending } from "../transport/rest/pending-work.ts";
import { singleTabLease } from "../transport/tab-lease.ts";
import type { ServerMessageName, ServerMessages } from "../transport/transport.ts";
import type { ClientCore, ClientCoreOptions } from "./client-core.ts";
import { systemClock } from "./clock.ts";
import { Connection } from "./connection/connection.ts";
import { PresenceHeartbeat } from "./connection/presence-heartbeat.ts";
import { ServerClock } from "./connection/server-clock.ts";
import type { CoreContext } from "./core-context.ts";
import type { CoreParts } from "./core-parts.ts";
import { DraftStorage } from "./documents/draft-storage.ts";
import type { EditParts } from "./edits/edit-parts.ts";
import { EditService } from "./edits/edit-service.ts";
import { EditStore } from "./edits/edit-store.ts";
import { EditTracker } from "./edits/edit-tracker.ts";
import { RecordDrafts } from "./edits/record-drafts.ts";
import { UndoJournal } from "./edits/undo-journal.ts";
import { UnsavedTexts } from "./edits/unsaved-texts.ts";
import { limitToModel, limitToRecords } from "./edits/visibility.ts";
import type { TableSession } from "./feed/followed-tables.ts";
import { FollowedTables } from "./feed/followed-tables.ts";
import { WallboardDrafts, type WallboardServer } from "./wallboards/wallboard-drafts.ts";
import { WallboardFollowers } from "./wallboards/wallboard-followers.ts";

/** Another offset of the server's clock changes what a filter matches that names the time. */
const CLOCK_JUMP_MS = 10_000;
/** Edits of tabs that are gone are looked for this often. */
const ADOPT_EVERY_MS = 15_000;

/** For cores that edit no wallboards. */
const noWallboards: WallboardServer = {
  api: () => {
    throw new Refusal("unavailable");
  },
  describe: String,
};

/** For cores that move no records. */
const moveRefused = async () => {
  throw new Refusal("unavailable");
};

/** Builds and connects the parts of the client core; decides nothing itself. */
export function createClientCore(options: ClientCoreOptions): ClientCore {
  return new Core(options);
}

class Core implements ClientCore {
  readonly userId: string;
  readonly edits: EditService;
  readonly texts: UnsavedTexts;
  readonly undo: UndoJournal;
  readonly presence: PresenceHeartbeat;
  readonly wallboards: WallboardFollowers;
  readonly drafts: WallboardDrafts;
  readonly documents: DraftStorage;
  readonly #options: ClientCoreOptions & Required<Pick<ClientCoreOptions, "clock" | "lease">>;
  readonly #connection: Connection;
  readonly #tracker: EditTracker;
  readonly #drafts: RecordDrafts;
  readonly #editStore: EditStore;
  readonly #isStored = { edits: true, texts: true, drafts: true };
  readonly #serverClock = new ServerClock();
  readonly #tables: FollowedTables;
  #cancelAdopt: (() => void) | null = null;
  #isStopped = false;

  constructor(options: ClientCoreOptions) {
    const { clock = systemClock, lease = singleTabLease(clock.newId()) } = options;
    this.#options = { ...options, clock, lease };
    const { transport, store, storage, context } = options;
    this.userId = context().user.id;
    this.texts = new UnsavedTexts({
      store,
      clock,
      user: this.userId,
      storage: options.texts ?? null,
      lease: this.#options.lease,
      context,
      onStored: (isStored) => this.#reportStored({ texts: isStored }),
    });
    const serverNow = () => clock.now() + this.#serverClock.offsetMs;
    const parts: CoreParts = { transport, store, clock, context, serverNow };
    this.#tables = new FollowedTables({
      ...parts,
      isUp: () => this.#connection.isUp,
      onProgress: () => {
        this.#connection.onProgress();
        this.#tracker.submitted.pump();
      },
      onSessionEnded: () => this.#connection.end("signedOut"),
      onScopeChanged: (table, visible) => {
        this.#tracker.applyVisibility(limitToRecords(table, visible), messages.recordGone());
        this.texts.forgetNames(table, visible);
      },
      onAgreed: (edit, field) => this.edits.drop(edit, field),
      onRightsChanged: () => store.set(modelUpdatesAtom, store.get(modelUpdatesAtom) + 1),
      onChanges: (...changes) => this.undo.changed(...changes),
      onUnfollowed: (table) => this.presence.unfollowed(table),
    });
    this.#connection = new Connection({
      ...parts,
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
        this.#tracker.submitted.pump();
        this.presence.onReady();
      },
    });
    this.undo = new UndoJournal({
      ...parts,
      tables: this.#tables,
      storage: options.undo ?? null,
      currentId: (table, record) => this.edits.currentId(table, record),
      moveRecords: options.moveRecords ?? moveRefused,
      tracker: () => this.#tracker,
    });
    this.#editStore = new EditStore(storage, lease, this.userId, clock, (isStored) =>
      this.#reportStored({ edits: isStored }),
    );
    const editParts: EditParts = {
      ...parts,
      tables: this.#tables,
      connection: this.#connection,
      editStore: this.#editStore,
      onCounts: () => this.#count(),
    };
    const drafts = new RecordDrafts({
      ...editParts,
      submitDraft: (draft, batch) => this.#tracker.submitted.submitDraft(draft, batch),
      hasText: (record) => this.texts.hasTextOf(record),
    });
    this.#drafts = drafts;
    this.#tracker = new EditTracker({
      ...editParts,
      drafts,
      journal: this.undo,
      texts: this.texts,
    });
    this.edits = new EditService({ ...editParts, drafts, tracker: this.#tracker });
    this.presence = new PresenceHeartbeat(parts, () => this.#connection.isReady);
    this.wallboards = new WallboardFollowers(parts, () => this.#connection.isUp);
    this.documents = new DraftStorage({
      ...{ clock, lease, user: this.userId, storage: options.texts ?? null },
      onStored: (isStored) => this.#reportStored({ drafts: isStored }),
    });
    this.drafts = new WallboardDrafts({
      ...{ store, clock, storage: this.documents },
      server: options.wallboards ?? noWallboards,
      canSend: () => store.get(connectionAtom).kind !== "signedOut",
      onRefused: (text, wallboard, reason) =>
        this.texts.add({
          ...wallboardTextPlace(wallboard),
          text,
          reason,
          label: messages.wallboard(),
        }),
      onChanged: () => this.#count(),
    });
  }

  get user(): CoreContext["user"] {
    return this.#options.context().user;
  }

  start(): void {
    this.#options.transport.listen({
      onUp: () => this.#connection.up(),
      onDown: (code, isBlocked) => this.#connection.down(code, isBlocked),
      onMessage: (name, message) => this.#receive(name, message),
      onUnreadable: (name, table) => this.#unreadable(name, table),
      onPing: () => this.#connection.onPing(),
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
    this.drafts.stop();
    this.documents.storeNow();
    this.#tracker.submitted.stop();
    this.#editStore.stop();
    this.undo.stop();
    this.texts.stop();
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
    const areDraftsStored = this.documents.storeNow();
    return this.texts.storeTyping() && areDraftsStored && !this.#editStore.hasUnstored;
  }

  forgetHidden(): void {
    const { model } = this.#options.context();
    this.#tracker.applyVisibility(limitToModel(model), messages.fieldGone());
    for (const { value, ...place } of this.#drafts.applyModel()) {
      this.texts.addValue(place, value, messages.fieldGone());
    }
    this.texts.forgetHidden();
  }

  openTable(table: string): TableSession {
    return this.#tables.open(table);
  }

  #reportStored(part: Partial<{ edits: boolean; texts: boolean; drafts: boolean }>): void {
    const { edits, texts, drafts } = Object.assign(this.#isStored, part);
    this.#options.store.set(editsStoredAtom, edits && texts && drafts);
  }

  async #adopt(): Promise<void> {
    this.#cancelAdopt = this.#options.clock.after(ADOPT_EVERY_MS, () => void this.#adopt());
    this.texts.retry();
    this.documents.storeNow();
    await this.texts.adopt();
    if (this.#isStopped) return;
    await this.#tracker.adopt();
    if (this.#isStopped) return;
    this.forgetHidden();
    await this.drafts.adopt();
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
      const before = this.#serverClock.offsetMs;
      const offset = this.#serverClock.addSample(now, clock.now());
      store.set(clockOffsetAtom, offset);
      if (Math.abs(offset - before) > CLOCK_JUMP_MS) {
        for (const follower of this.#tables.all()) follower.evaluateByClock();
      }
      for (const [table, head] of Object.entries(tables)) {
        this.#tables.get(table)?.incoming.heads(head);
      }
      // The server no longer lists a table whose `resync` message got lost.
      for (const { table, incoming } of this.#tables.all()) {
        if (!Object.hasOwn(tables, table)) incoming.missed();
      }
    },
    resync: ({ table, reason }) => this.#tables.get(table)?.incoming.forget(reason),
    presence: (message) =>
      this.presence.received(message, this.#tables.get(message.table) !== undefined),
    model: ({ version }) => {
      const { store } = this.#options;
      store.set(modelVersionAtom, version);
      store.set(modelUpdatesAtom, store.get(modelUpdatesAtom) + 1);
      storeUpdateOfAll(store);
      for (const follower of this.#tables.all()) follower.onRightsChanged();
      this.wallboards.onRightsChanged();
    },
    notice: (notice) => {
      if (notice.kind === "health") {
        this.#connection.setDegraded(notice.degraded, notice.reason);
        if (!notice.degraded) this.#tracker.submitted.retrySoon();
      }
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
    const { waiting: submitted, ...counts } = this.#tracker.counts;
    const waiting = submitted + this.drafts.waiting;
    store.set(editCountsAtom, { ...counts, waiting });
    setPending("edits", waiting);
    const issues = [...this.#tracker.refused.issues, ...this.#drafts.issues];
    if (issues.length + store.get(editIssuesAtom).length > 0) store.set(editIssuesAtom, issues);
  }
}
