import { ID_FIELD } from "../../../../shared/filter/value-kinds.ts";
import { Listeners } from "../../../../shared/listeners.ts";
import { findTable, type Model, type Values } from "../../../../shared/model/model.ts";
import { governedBy } from "../../../../shared/model/state-of.ts";
import { findTransition } from "../../../../shared/model/workflow.ts";
import type { WireChange } from "../../../../shared/protocol/feed.ts";
import type { WireOp } from "../../../../shared/protocol/mutate.ts";
import type { Position } from "../../../../shared/protocol/position.ts";
import type { EditRef, RecordView } from "../../state/record-view.ts";
import { closedTable, type TablePhase, tableAtom } from "../../state/table-state.ts";
import type { Clock } from "../clock.ts";
import type { CoreParts } from "../core-parts.ts";
import { buildView } from "../edits/build-view.ts";
import type { Overlay } from "../edits/overlay.ts";
import type { Flash, Touched } from "../records/flash.ts";
import { PageReader } from "../records/page-reader.ts";
import { type Confirmed, RecordCache } from "../records/record-cache.ts";
import { RowList } from "../rows/row-list.ts";
import type { RowSource } from "../rows/row-loader.ts";
import type { ViewQuery } from "../rows/view-query.ts";
import { RecordReloader } from "./record-reloader.ts";
import { type ResetReason, Subscription } from "./subscription.ts";
import { TableSubscriber } from "./table-subscriber.ts";

/** Things that should stay at zero, or at least be rare; for tests, proofs and the curious. */
export interface FollowerCounters {
  holes: number;
  duplicates: number;
  unreadable: number;
  resyncs: number;
}

/** One frame of a 60 Hz screen: whatever arrives within it is shown together. */
const TICK_MS = 16;

/** Runs `flush` once for all requests of a tick, so that cost follows time and not the change rate. */
class Tick {
  readonly #clock: Clock;
  readonly #flush: () => void;
  #cancel: (() => void) | null = null;

  constructor(clock: Clock, flush: () => void) {
    this.#clock = clock;
    this.#flush = flush;
  }

  request(): void {
    this.#cancel ??= this.#clock.after(TICK_MS, () => {
      this.#cancel = null;
      this.#flush();
    });
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }
}

/** Collects what one tick touches. */
class TouchedRecords {
  #records = new Set<string>();
  #flashes: Flash[] = [];
  #changed = new Set<string>();

  add(record: string): void {
    this.#records.add(record);
  }

  /** Notes the fields that a change has set. They flash if the record `isHeld`; `me` is the user. */
  addChange({ kind, record, set, by }: WireChange, isHeld: boolean, me: string): void {
    const mine = by.kind === "user" && by.id === me;
    for (const field of Object.keys(set)) {
      this.#changed.add(field);
      if (kind === "update" && isHeld) this.#flashes.push({ record, field, by, mine });
    }
    if (kind !== "update") this.#changed.add(ID_FIELD);
  }

  /** Returns what was touched, and begins the next tick. */
  take(): Touched {
    const touched = { records: this.#records, flashes: this.#flashes, changed: this.#changed };
    this.#records = new Set();
    this.#flashes = [];
    this.#changed = new Set();
    return touched;
  }
}

/**
 * Follows one table for all who opened it: position, records, views, and one patch of the store per tick. Rules C6-C15. How a page stays at one
 * moment of the feed is at the head of subscription.ts.
 *
 * An edit of the user is shown on top of its record until what is beneath is as new as its acknowledgement (`#removeAcknowledged`): the feed
 * and the answer come in any order, and neither may let the former value flash up. A new record is expected under the id that the server will know
 * it by (`#expect`), because the feed may bring it before the answer does.
 */
export class TableFollower {
  readonly counters: FollowerCounters = { holes: 0, duplicates: 0, unreadable: 0, resyncs: 0 };
  readonly #deps;
  readonly #subscription: Subscription;
  readonly #subscriber: TableSubscriber;
  readonly #cache = new RecordCache((record) => this.#touch(record));
  readonly #reader: PageReader;
  readonly #reloader: RecordReloader;
  readonly #tick: Tick;
  readonly #views = new Map<string, RecordView>();
  readonly #rowSource: RowSource;
  readonly #rowLists = new Set<RowList>();
  readonly #listeners = new Listeners<Touched>();
  /** New records of mine by the ids that the server will know them by: they may come before the answer does. */
  readonly #expected = new Set<string>();
  readonly #touched = new TouchedRecords();
  #phase: TablePhase = "subscribing";
  #resets = 0;
  #isClosed = false;

  constructor(
    deps: CoreParts & {
      table: string;
      overlay: Overlay;
      /** Following, or refused for good: the connection asks whether all are. */
      onProgress(): void;
      onSessionEnded(): void;
      /** These of my edits may concern what I may no longer see: only those that stay, stay. */
      onScopeChanged(visible: (record: string) => boolean): void;
      /** A conflict of mine has ended in this field. */
      onAgreed(edit: EditRef, field: string): void;
      /** Changes that the records held do not have yet. */
      onChanges(table: string, changes: readonly WireChange[], epoch: string): void;
      /** The user's rights have changed while disconnected, when no message could say so. */
      onRightsChanged(): void;
    },
  ) {
    this.#deps = deps;
    this.#subscriber = new TableSubscriber({
      ...deps,
      subscription: () => this.#subscription,
      onFollowing: () => this.#following(),
      onRefused: () => this.#refused(),
    });
    this.#subscription = new Subscription({
      request: (after, request) => void this.#subscriber.request(after, request),
      apply: (changes, position) => this.#apply(changes, position),
      reset: (reason, position) => this.#reset(reason, position),
      gap: () => {
        this.counters.holes += 1;
      },
      duplicate: () => {
        this.counters.duplicates += 1;
      },
    });
    this.#reader = new PageReader(deps, this.#cache, this.#subscriber);
    this.#reloader = new RecordReloader({
      ...deps,
      cache: this.#cache,
      reader: this.#reader,
      rowLists: () => this.#rowLists,
    });
    this.#rowSource = {
      ...deps,
      position: () => this.position?.seq,
      cache: this.#cache,
      reader: this.#reader,
      view: (id) => this.get(id),
      isMyCreate: (id) => this.#expected.has(id) || deps.overlay.isAdding(id),
    };
    this.#tick = new Tick(deps.clock, () => this.#flush());
    deps.overlay.listen({
      touched: (record) => this.#onOverlayChanged(record),
      renamed: (from, to) => {
        for (const rowList of this.#rowLists) rowList.renameCreated(from, to);
      },
      expected: (record, isExpected) => this.#expect(record, isExpected),
      agreed: ({ ref }, field) => deps.onAgreed(ref, field),
    });
    this.#tick.request();
  }

  get table(): string {
    return this.#deps.table;
  }

  get phase(): TablePhase {
    return this.#phase;
  }

  readonly #transitionValues = (op: WireOp) => transitionValues(this.#deps.context().model, op);

  get position(): Position | null {
    return this.#subscription.position;
  }

  get isCaughtUp(): boolean {
    return this.#phase === "refused" || this.#subscription.phase === "following";
  }

  /** How many records are held: bounded by what row lists, holds and edits need. */
  get heldRecords(): number {
    return this.#cache.size;
  }

  confirmed(record: string): Confirmed | undefined {
    return this.#cache.get(record);
  }

  get(record: string): RecordView | undefined {
    const known = this.#views.get(record);
    if (known) return known;
    const made = buildView(
      record,
      this.#cache.get(record),
      this.#deps.overlay.of(record),
      this.#transitionValues,
    );
    if (made && this.#cache.isRetained(record)) this.#views.set(record, made);
    return made;
  }

  /** The server's time is another one than was assumed. */
  evaluateByClock(): void {
    for (const rowList of this.#rowLists) rowList.evaluateByClock();
  }

  /** Lets go of the rows of records that the user has just deleted themselves: they know that these are gone. */
  realign(): void {
    for (const rowList of this.#rowLists) rowList.realign();
  }

  openRowList(view: ViewQuery): RowList {
    const { overlay } = this.#deps;
    const rowList = new RowList(this.#rowSource, view, () => this.#rowLists.delete(rowList));
    this.#rowLists.add(rowList);
    for (const record of overlay.records()) {
      if (overlay.isAdding(record)) rowList.addCreated(record);
    }
    return rowList;
  }

  async hold(record: string): Promise<RecordView | null> {
    this.#cache.retain(record);
    await this.#reloader.records([record]);
    return this.get(record) ?? null;
  }

  retain(record: string): void {
    this.#cache.retain(record);
  }

  release(record: string): void {
    this.#cache.release(record);
  }

  onTouched(callback: (touched: Touched) => void): () => void {
    return this.#listeners.add(callback);
  }

  onConnected(): void {
    if (this.#phase === "refused") this.#setPhase("subscribing");
    this.#subscriber.onConnected();
  }

  /** Where the table was refused, or a view of it, it may be readable now. */
  onRightsChanged(): void {
    if (this.#phase === "refused") this.#setPhase("subscribing");
    this.#subscriber.onRightsChanged();
    for (const rowList of this.#rowLists) rowList.onRightsChanged();
  }

  onDisconnected(): void {
    this.#subscriber.onDisconnected();
  }

  /** What the socket brought for this table. */
  get incoming(): Pick<Subscription, "changes" | "heads" | "forget" | "missed"> {
    return this.#subscription;
  }

  close(): void {
    this.#isClosed = true;
    this.#subscriber.close();
    for (const rowList of [...this.#rowLists]) rowList.close();
    this.#listeners.clear();
    this.#deps.overlay.listen();
    this.#tick.stop();
    this.#deps.store.set(tableAtom(this.table), closedTable);
  }

  /** The table may not be read: nothing of it stays in this browser. */
  #refused(): void {
    if (this.#resets > 0) this.#deps.onRightsChanged();
    this.#subscription.drop();
    this.#cache.restart({ epoch: "", seq: -1 }, true);
    this.#deps.onScopeChanged((record) => this.#deps.overlay.isCreating(record));
    this.#setPhase("refused");
    for (const rowList of this.#rowLists) void rowList.reload();
    this.#deps.onProgress();
  }

  #following(): void {
    if (this.#phase === "subscribing") this.#setPhase("live");
    // The server that refused them may be another one now, or able to read them.
    for (const rowList of this.#rowLists) rowList.retryRefused();
    this.#deps.onProgress();
  }

  #apply(changes: readonly WireChange[], position: Position): void {
    this.#deps.onChanges(this.table, changes, position.epoch);
    this.#cache.apply(changes, position);
    for (const change of changes) {
      this.#deps.overlay.applyChange(change);
      const isHeld = this.#cache.isRetained(change.record);
      this.#touched.addChange(change, isHeld, this.#deps.context().user.id);
    }
    for (const rowList of this.#rowLists) rowList.onChanges(changes);
    this.#removeAcknowledged(position);
    this.#tick.request();
  }

  #reset(reason: ResetReason, position: Position): void {
    if (reason !== "first") this.counters.resyncs += 1;
    const mayHide = reason === "scope" || reason === "rights";
    if (reason === "scope") this.#deps.onRightsChanged();
    this.#cache.restart(position, mayHide);
    const created = new Set(this.#readCreated(position));
    if (mayHide) this.#deps.overlay.removeUpTo(position, (record) => created.has(record));
    else this.#removeAcknowledged(position);
    this.#resets += 1;
    this.#setPhase("resyncing");
    // At the first answer the views are being read already, unless it was a refusal.
    if (reason === "first") this.#setPhase("live");
    else void this.#reload(this.#resets, mayHide);
  }

  async #reload(reset: number, mayHide: boolean): Promise<void> {
    // What is refused with the whole table begins anew with the next answer.
    const isLatest = () => reset === this.#resets && !this.#isClosed && this.#phase === "resyncing";
    if (await this.#reloader.run(mayHide, isLatest)) this.#setPhase("live");
  }

  /** An acknowledged edit stays on a record until what is shown beneath it is as new as the acknowledgement. */
  #removeAcknowledged(position: Position): void {
    this.#readCreated(position);
    this.#deps.overlay.removeUpTo(position, (record) => this.#cache.get(record)?.stale === true);
  }

  /**
   * Reads my new records whose creation the stream has passed over, because it began anew after that. They are shown as I wrote them
   * meanwhile: without them, who types in one would go on in another row.
   */
  #readCreated(position: Position): string[] {
    const created = this.#deps.overlay
      .createdUpTo(position)
      .filter((record) => this.#cache.isRetained(record));
    const unread = created.filter((record) => !this.#cache.get(record));
    for (const record of unread) this.#cache.expect(record);
    const isWanted = () => !this.#isClosed && this.#phase !== "refused";
    if (unread.length > 0) void this.#reloader.untilRead(unread, isWanted);
    return created;
  }

  #onOverlayChanged(record: string): void {
    this.#touch(record);
    if (!this.#deps.overlay.isAdding(record)) return;
    for (const rowList of this.#rowLists) rowList.addCreated(record);
  }

  #expect(record: string, isExpected: boolean): void {
    if (isExpected === this.#expected.has(record)) return;
    if (isExpected) {
      this.#expected.add(record);
      this.#cache.retain(record);
    } else {
      this.#expected.delete(record);
      this.#cache.release(record);
    }
  }

  #touch(record: string): void {
    this.#views.delete(record);
    this.#touched.add(record);
    if (!this.#isClosed) this.#tick.request();
  }

  #setPhase(phase: TablePhase): void {
    this.#phase = phase;
    this.#tick.request();
  }

  #flush(): void {
    // Records that were read again after a reset need the edits no more.
    if (this.position) this.#removeAcknowledged(this.position);
    const touched = this.#touched.take();
    const { store } = this.#deps;
    const version = store.get(tableAtom(this.table)).version + 1;
    const get = (record: string) => this.get(record);
    store.set(tableAtom(this.table), { version, phase: this.#phase, position: this.position, get });
    for (const rowList of this.#rowLists) rowList.tick(touched);
    this.#listeners.emit(touched);
  }
}

/** What a transition will have done to the state once it is confirmed; nothing for any other op. */
export function transitionValues(model: Model, op: WireOp): Values {
  if (op.op !== "transition") return {};
  const table = findTable(model, op.table);
  const governed = table && governedBy(table);
  const transition = governed && findTransition(governed.workflow, op.transition);
  return transition ? { [governed.stateField]: transition.to } : {};
}
