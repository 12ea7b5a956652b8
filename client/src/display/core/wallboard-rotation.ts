import type { Alert, FrameMessage, ProvenMessage } from "../../../../shared/protocol/frame.ts";
import {
  ageOf,
  elapsedMs,
  type Moment,
  proofOf,
  proofOfFrame,
} from "../../../../shared/protocol/freshness.ts";
import type { DisplayProgram } from "../../../../shared/protocol/signals.ts";
import type { Clock } from "../../sync/clock.ts";
import type { DisplayConnection } from "./display-connection.ts";
import type { CachedWallboard } from "./display-storage.ts";

const RETRY_MS = 2_000;
/** Requests a wallboard again if no proof arrives for this long on an open connection. */
const RESUBSCRIBE_AFTER_MS = 10_000;
/** A wallboard whose alert has brought it up stays at least this long, if another one's alert begins. */
const ALERT_MIN_MS = 2_000;

/**
 * Rotates through the wallboards. One is replaced only when the next has arrived with its values; a refused one is
 * skipped; without a connection the last values remain.
 *
 * All wallboards in rotation are followed all the time, so that an alert is not missed because its wallboard is not up. One that flashes
 * or sounds brings its wallboard up when it begins, once: then the rotation goes on from there, because nobody may be there to
 * acknowledge it. If alerts of three or more wallboards begin at once, the last of them comes up later than 5 s.
 */
export class WallboardRotation {
  readonly cached = new Map<string, CachedWallboard>();
  readonly #deps;
  #program: DisplayProgram | null = null;
  #current: string | null = null;
  /** The wallboard that is being loaded. */
  #next: string | null = null;
  #refused = 0;
  /** The urgent alerts of each wallboard in rotation. */
  readonly #urgent = new Map<string, ReadonlySet<string>>();
  /** Wallboards with an alert that began and was not shown yet. */
  #due: string[] = [];
  #broughtUpAt: Moment | null = null;
  /** Wallboards that are not up, and when each was last requested. */
  readonly #followed = new Map<string, Moment>();
  #cancel = () => {};

  constructor(deps: {
    connection: Pick<DisplayConnection, "subscribe" | "unsubscribe" | "isUp">;
    clock: Clock;
    moment: () => Moment;
    /** Something on the screen changed. */
    onChange: () => void;
  }) {
    this.#deps = deps;
  }

  get current(): CachedWallboard | null {
    return (this.#current !== null && this.cached.get(this.#current)) || null;
  }

  /** The wallboards with an alert that flashes or sounds, and that nobody acknowledged; the one on the screen included. */
  get alerting(): CachedWallboard[] {
    return [...this.#urgent].flatMap(([id, alerts]) =>
      alerts.size > 0 ? (this.cached.get(id) ?? []) : [],
    );
  }

  get refused(): number {
    return this.#refused;
  }

  /** What was known before the page was loaded. */
  restore(wallboards: Record<string, CachedWallboard>, program: DisplayProgram): void {
    for (const [id, wallboard] of Object.entries(wallboards)) this.cached.set(id, wallboard);
    const shown = [program.showing, ...program.boards];
    this.#current = shown.find((id) => id !== null && this.cached.has(id)) ?? null;
  }

  applyProgram(program: DisplayProgram): void {
    const before = this.#program;
    this.#program = program;
    for (const id of this.cached.keys()) if (!program.boards.includes(id)) this.cached.delete(id);
    const isFollowed = (id: string) => this.#rotating().includes(id);
    for (const id of [...this.#urgent.keys()]) if (!isFollowed(id)) this.#urgent.delete(id);
    this.#due = this.#due.filter(isFollowed);
    for (const id of [...this.#followed.keys()]) if (!isFollowed(id)) this.#leave(id);
    if (this.#current !== null && !program.boards.includes(this.#current)) this.#current = null;
    const isChanged =
      !before ||
      before.boards.join() !== program.boards.join() ||
      before.showing !== program.showing ||
      before.rotationSeconds !== program.rotationSeconds;
    if (isChanged) this.#switchTo(program.showing ?? this.#current);
  }

  /** Requests the shown wallboard again after a reconnect. */
  resume(): void {
    this.#followed.clear();
    this.#switchTo(this.#current);
  }

  stop(): void {
    this.#cancel();
    this.#program = null;
    this.#current = null;
    this.#next = null;
    this.#urgent.clear();
    this.#due = [];
    this.#followed.clear();
    this.cached.clear();
  }

  applyFrame(frame: FrameMessage): void {
    const known = this.cached.get(frame.wallboard);
    const board = frame.board ?? known?.board;
    if (!board || board.version !== frame.version) {
      // The swap to another version was missed: the whole wallboard is asked for.
      if (frame.wallboard === this.#current) this.#switchTo(this.#current);
      else if (this.#followed.delete(frame.wallboard)) this.#follow();
      return;
    }
    const proof = proofOfFrame(frame, known?.proof ?? null, this.#deps.moment());
    this.cached.set(frame.wallboard, { board, tiles: frame.tiles, proof });
    const isChanged = this.#takeAlerts(frame);
    if (isChanged || frame.wallboard === this.#current) this.#deps.onChange();
  }

  applyProof(proven: ProvenMessage): void {
    const known = this.cached.get(proven.wallboard);
    if (!known || known.board.version !== proven.version) return;
    const proof = proofOf(proven, known.proof, this.#deps.moment());
    this.cached.set(proven.wallboard, { ...known, proof });
    if (proven.wallboard === this.#current) this.#deps.onChange();
  }

  /**
   * A wallboard is there no more: nothing of it stays on the screen, nor comes by an answer that was sent before and that the page hears of
   * after this, as where both are in one polled message.
   */
  remove(wallboard: string): void {
    this.cached.delete(wallboard);
    this.#urgent.delete(wallboard);
    this.#followed.delete(wallboard);
    if (this.#current === wallboard || this.#next === wallboard) this.#skip(wallboard);
    else this.#deps.onChange();
  }

  /** The wallboards that take turns; none while one is pinned. */
  #rotating(): readonly string[] {
    const { boards = [], showing = null } = this.#program ?? {};
    return showing === null && boards.length > 1 ? boards : [];
  }

  /** Follows the wallboards that are not up. One without proof is requested again after a while, also if it was refused. */
  #follow(): void {
    const now = this.#deps.moment();
    for (const id of this.#rotating()) {
      if (id === this.#current || id === this.#next) continue;
      const requested = this.#followed.get(id);
      const { ageMs } = ageOf(this.cached.get(id)?.proof ?? null, now);
      const isOld = Math.min(ageMs, requested ? elapsedMs(requested, now) : ageMs);
      if (requested && isOld <= RESUBSCRIBE_AFTER_MS) continue;
      this.#followed.set(id, now);
      void this.#deps.connection.subscribe(id).then(
        (frame) => {
          if (!this.#rotating().includes(id)) this.#leave(id);
          else if (frame && this.#followed.has(id)) this.applyFrame(frame);
        },
        () => {},
      );
    }
  }

  #leave(id: string): void {
    this.#followed.delete(id);
    if (id !== this.#current && id !== this.#next) this.#deps.connection.unsubscribe(id);
  }

  /** Notes the urgent alerts of a frame, and whether one began. @returns whether they differ. */
  #takeAlerts({ wallboard, tiles }: FrameMessage): boolean {
    if (!this.#rotating().includes(wallboard) && wallboard !== this.#current) return false;
    const before = this.#urgent.get(wallboard);
    const alerts = new Set(urgentAlerts(tiles).map(({ key }) => key));
    this.#urgent.set(wallboard, alerts);
    const begun = [...alerts].some((key) => !before?.has(key));
    if (begun && wallboard !== this.#current && !this.#due.includes(wallboard)) {
      this.#due.push(wallboard);
      this.#bringUp();
    }
    return begun || alerts.size !== (before?.size ?? 0);
  }

  /** Brings the first wallboard up whose alert was not shown yet, unless another alert has just come up. */
  #bringUp(): boolean {
    this.#due = this.#due.filter((id) => (this.#urgent.get(id)?.size ?? 0) > 0);
    const [due] = this.#due;
    if (due === undefined || !this.#deps.connection.isUp) return false;
    const last = this.#broughtUpAt;
    if (last && elapsedMs(last, this.#deps.moment()) < ALERT_MIN_MS) return false;
    this.#broughtUpAt = this.#deps.moment();
    this.#switchTo(due);
    return true;
  }

  /** Brings a wallboard onto the screen (the next in turn where none is named), and then plans the following one. */
  #switchTo(requested: string | null): void {
    this.#cancel();
    const program = this.#program;
    if (!program) return;
    const id = requested ?? nextWallboard(program.boards, program.showing, this.#current);
    this.#next = id;
    if (id === null) this.#deps.onChange();
    else void this.#load(id);
  }

  async #load(id: string): Promise<void> {
    const frame = await this.#deps.connection.subscribe(id).catch(() => undefined);
    if (this.#next !== id || !this.#program) return;
    if (frame === undefined)
      this.#after(RETRY_MS, () => this.#deps.connection.isUp && this.#switchTo(id));
    else if (frame === null) this.#skip(id);
    else this.#show(id, frame);
  }

  #show(id: string, frame: FrameMessage): void {
    const before = this.#current;
    this.#refused = 0;
    this.#current = id;
    this.#due = this.#due.filter((one) => one !== id);
    this.applyFrame(frame);
    this.#followed.delete(id);
    if (before !== null && before !== id) {
      if (this.#rotating().includes(before)) this.#followed.set(before, this.#deps.moment());
      else this.#deps.connection.unsubscribe(before);
    }
    this.#planNext();
  }

  #skip(id: string): void {
    this.cached.delete(id);
    this.#urgent.delete(id);
    this.#refused += 1;
    this.#next = null;
    if (this.#current === id) this.#current = null;
    this.#deps.onChange();
    const { boards = [], showing = null } = this.#program ?? {};
    // Where none can be shown it is tried again, slowly: somebody may publish one.
    const pause = this.#refused % Math.max(boards.length, 1) === 0 ? RETRY_MS * 5 : 0;
    this.#after(pause, () => this.#switchTo(nextWallboard(boards, showing, id)));
  }

  #planNext(): void {
    const { boards = [], showing = null, rotationSeconds = 0 } = this.#program ?? {};
    const shownAt = this.#deps.moment();
    const check = () => {
      const now = this.#deps.moment();
      const isDue = elapsedMs(shownAt, now) >= rotationSeconds * 1_000;
      const { ageMs } = ageOf(this.current?.proof ?? null, now);
      if (!this.#deps.connection.isUp) this.#after(RETRY_MS, check);
      else if (this.#bringUp()) return;
      else if (showing === null && boards.length > 1 && isDue) this.#switchTo(null);
      else if (ageMs > RESUBSCRIBE_AFTER_MS) this.#switchTo(this.#current);
      else {
        this.#follow();
        this.#after(RETRY_MS, check);
      }
    };
    this.#follow();
    this.#after(RETRY_MS, check);
  }

  #after(ms: number, task: () => void): void {
    this.#cancel();
    this.#cancel = this.#deps.clock.after(ms, task);
  }
}

/** The alerts that flash or sound until somebody acknowledges them, each with a key of its own. */
export function urgentAlerts(tiles: FrameMessage["tiles"]): { key: string; alert: Alert }[] {
  const urgent = (key: string, alert: Alert | null | undefined) =>
    alert && (alert.flash || alert.sound) && !alert.acknowledged
      ? [{ key: `${key} ${alert.since}`, alert }]
      : [];
  return Object.entries(tiles).flatMap(([id, { alert, rows = [] }]) => [
    ...urgent(id, alert),
    ...rows.flatMap((row) => urgent(`${id} ${JSON.stringify(row.key)}`, row.alert)),
  ]);
}

/** Which wallboard comes next. One that can't be shown is passed over, and never ends the round. */
export function nextWallboard(
  wallboards: readonly string[],
  showing: string | null,
  current: string | null,
): string | null {
  if (showing !== null) return showing;
  const at = current === null ? -1 : wallboards.indexOf(current);
  return wallboards[(at + 1) % Math.max(wallboards.length, 1)] ?? null;
}
