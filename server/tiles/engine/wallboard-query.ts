import type {
  FrameMessage,
  TileFrame,
  TileState,
  WallboardPosition,
} from "../../../shared/protocol/frame.ts";
import { queryKey, type TileQuery } from "../plan/tile-query.ts";
import type { LabelSource, TilePlan, WallboardPlan } from "../plan/wallboard-plan.ts";
import { Alerts, type FindAcknowledgement } from "./alerts.ts";
import { composeTile, type TileResults } from "./compose-tile.ts";
import { hashTileValues } from "./hash-tile-values.ts";
import type { FindLabel } from "./labels.ts";
import type { LiveQuery, SnapshotReading, Subscriber } from "./live-query.ts";

const parts = ["total", "groups", "series", "before", "whole", "top", "recent"] as const;
type Part = (typeof parts)[number];

/** How long a wallboard waits for all its results to be of one instant before late ones are sent as such. */
const LATE_AFTER_MS = 1_000;
/** A result that will not be read for this long is late anyhow: the others don't wait for it. */
const SOON_MS = 300;
/** States of tiles whose values are current. */
const currentStates: readonly TileState[] = ["ok", "silent", "suppressed"];

/**
 * One wallboard evaluated for one scope, composed from results that others may share. All values of a frame are
 * of one position; a result that can't keep up is sent with its own instant.
 */
export class WallboardQuery implements Subscriber {
  readonly plan: WallboardPlan;
  readonly keys: ReadonlyMap<string, TileQuery>;
  readonly #parts: ReadonlyMap<TilePlan, [Part, string][]>;
  /** Tiles that hide values, and have several parts. */
  readonly #hiding: readonly [TilePlan, [Part, string][]][];
  readonly #alerts = new Alerts();
  /** Of tiles that hide values: their parts as they were last read in one snapshot, and when. */
  readonly #together = new Map<TilePlan, { results: TileResults; at: number }>();
  #inconsistentSince: number | null = null;
  #labelsMissingSince: number | null = null;
  last: FrameMessage | null = null;
  /** The hash of the last frame's values (hash-tile-values.ts). */
  valuesHash = "";
  /** Something may be shown differently: a result, a label, an alert, the passing of time. */
  isDirty = true;

  constructor(plan: WallboardPlan, previous: FrameMessage | null) {
    this.plan = plan;
    const keys = new Map<string, TileQuery>();
    const byTile = new Map<TilePlan, [Part, string][]>();
    for (const tile of plan.tiles) {
      const live: [Part, string][] = [];
      for (const part of parts) {
        const query = tile[part];
        if (!query) continue;
        const key = queryKey(query);
        keys.set(key, query);
        live.push([part, key]);
      }
      byTile.set(tile, live);
    }
    this.keys = keys;
    this.#parts = byTile;
    this.#hiding = [...byTile].filter(
      ([tile, live]) => tile.suppressBelow !== undefined && live.length > 1,
    );
    if (previous) this.#alerts.restore(previous.tiles);
  }

  /**
   * Takes over the alerts of another evaluation of the same wallboard: of an earlier version, by an earlier model, or for
   * other readers. Only of tiles that query the same records by the same bounds: their alerts are the same, and would begin
   * again otherwise, as if nobody had acknowledged them.
   */
  continueAlerts({ plan, last }: WallboardQuery): void {
    if (!last || plan.wallboard !== this.plan.wallboard) return;
    for (const tile of this.plan.tiles) {
      const [known, frame] = [plan.tiles.find(({ id }) => id === tile.id), last.tiles[tile.id]];
      if (known && frame && measuredBy(known) === measuredBy(tile))
        this.#alerts.restore({ [tile.id]: frame });
    }
  }

  partsBeside(key: string): readonly string[] {
    return this.#hiding.flatMap(([, live]) => {
      const keys = live.map(([, one]) => one);
      return keys.includes(key) ? keys.filter((one) => one !== key) : [];
    });
  }

  setReadings(read: ReadonlyMap<string, SnapshotReading>): void {
    for (const [plan, live] of this.#hiding) {
      const found = live.flatMap(([part, key]) => {
        const one = read.get(key);
        return one ? [[part, one] as const] : [];
      });
      if (found.length < live.length) continue;
      const results = found.map(([part, one]) => [part, one.live.resultOf(one.reading)]);
      const at = Math.min(...found.map(([, { reading }]) => reading.now));
      this.#together.set(plan, { results: Object.fromEntries(results), at });
      this.isDirty = true;
    }
  }

  /** Whether all results are of the same position; otherwise it should wait a moment. */
  isConsistent(queries: ReadonlyMap<string, LiveQuery>, now: number): boolean {
    const isComplete = [...this.keys.keys()].every((key) => {
      const live = queries.get(key);
      if (!live || live.hasFailed || live.notBefore > now + SOON_MS) return true;
      if (live.isSlow) return true;
      return live.hasResult && !live.isStale;
    });
    if (isComplete) this.#inconsistentSince = null;
    else this.#inconsistentSince ??= now;
    return isComplete || now - (this.#inconsistentSince ?? now) > LATE_AFTER_MS;
  }

  /** Whether it still waits for labels; slow ones are sent when they arrive. */
  waitsForLabels(areLookedUp: boolean, now: number): boolean {
    if (areLookedUp) this.#labelsMissingSince ??= now;
    else this.#labelsMissingSince = null;
    return this.#labelsMissingSince !== null && now - this.#labelsMissingSince < LATE_AFTER_MS;
  }

  /** Whether a result is about to change, by the model, a change or the clock alone. */
  isChanging(queries: ReadonlyMap<string, LiveQuery>, at: number): boolean {
    return [...this.keys.keys()].some((key) => {
      const live = queries.get(key);
      if (!live) return true;
      // a slow result is sent with its own instant: it does not delay the others
      const isLate = live.hasFailed || (live.isSlow && live.hasResult);
      return !isLate && (live.isStale || (live.wakeAt ?? at + 1) <= at);
    });
  }

  /** The sources of labels, with the keys to look up. */
  requiredLabels(queries: ReadonlyMap<string, LiveQuery>) {
    const required: { source: LabelSource; keys: Set<string> }[] = [];
    for (const tile of this.plan.tiles) {
      const together = this.#together.get(tile)?.results ?? {};
      const results = (this.#parts.get(tile) ?? []).map(([, key]) => queries.get(key)?.result());
      for (const result of [...results, ...Object.values(together)]) {
        if (result?.kind === "figures" && tile.labels) {
          const keys = result.groupValues.map((groupValue) => String(groupValue.key));
          required.push({ source: tile.labels, keys: new Set(keys) });
        }
        const rows = result?.kind === "top" ? result.records : [];
        const changes = result?.kind === "recent" ? result.changes : [];
        for (const [name, source] of Object.entries(tile.texts ?? {})) {
          const values = [...rows, ...changes].flatMap((row) => row.values[name] ?? []);
          required.push({ source, keys: new Set(values.map(String)) });
        }
      }
    }
    return required;
  }

  /** Composes the frame; null if nothing differs from the last one. */
  compose(
    queries: ReadonlyMap<string, LiveQuery>,
    at: { now: number; position: WallboardPosition },
    label: FindLabel,
    acknowledged: FindAcknowledgement,
  ): FrameMessage | null {
    const asOf = new Date(at.now).toISOString();
    const tiles: Record<string, TileFrame> = {};
    for (const tile of this.plan.tiles) {
      tiles[tile.id] = this.#tile(tile, queries, at.now, label, acknowledged);
    }
    this.isDirty = false;
    const { wallboard, version, board } = this.plan;
    this.last = { wallboard, version, position: at.position, asOf, tiles, board };
    const valuesHash = hashTileValues(tiles);
    if (valuesHash === this.valuesHash) return null;
    this.valuesHash = valuesHash;
    return this.last;
  }

  #tile(
    plan: TilePlan,
    queries: ReadonlyMap<string, LiveQuery>,
    now: number,
    label: FindLabel,
    acknowledged: FindAcknowledgement,
  ): TileFrame {
    if (plan.state === "failed") return { state: "failed", reason: "model_changed" };
    if (plan.state) return { state: plan.state };
    const live = (this.#parts.get(plan) ?? []).map(([part, key]): [Part, LiveQuery | undefined] => [
      part,
      queries.get(key),
    ]);
    const all = live.flatMap(([, one]) => one ?? []);
    if (all.length < live.length) return { state: "failed" };
    if (!all.every(({ hasResult }) => hasResult)) {
      return all.some(({ hasFailed }) => hasFailed) ? failed(all) : { state: "waiting" };
    }
    const held = this.#held(plan, all, { now, label, acknowledged });
    if (held) return held;
    this.#together.delete(plan);
    const results = Object.fromEntries(live.map(([part, one]) => [part, one?.result()]));
    const frame = composeTile(plan, results as TileResults, label);
    const late = all.filter(({ isStale }) => isStale).map(({ readAt }) => readAt);
    const changedAt = lastChange(all);
    const isSilent = frame.state === "ok" && silentSince(plan, all) < now;
    return {
      ...frame,
      ...(isSilent && { state: "silent" as const }),
      ...(all.some(({ hasFailed }) => hasFailed) && failed(all)),
      ...(changedAt !== null && { changedAt }),
      ...(late.length > 0 && { asOf: new Date(Math.min(...late)).toISOString() }),
      ...this.#alertsOf(plan, frame, now, acknowledged),
    };
  }

  /**
   * A tile that hides values, while its parts are of different positions: what is hidden is found by subtracting them,
   * which would reveal it. It shows the last parts of one position: as last shown, or as read together since then, which
   * happens whenever one of them is read that takes long. Null where that does not apply.
   */
  #held(
    plan: TilePlan,
    all: readonly LiveQuery[],
    {
      now,
      label,
      acknowledged,
    }: { now: number; label: FindLabel; acknowledged: FindAcknowledgement },
  ): TileFrame | null {
    const isMixed = all.length > 1 && all.some(({ isStale }) => isStale);
    if (!isMixed || plan.suppressBelow === undefined) return null;
    if (all.some(({ hasFailed }) => hasFailed)) return failed(all);
    const shown = this.#lastShown(plan);
    const together = this.#together.get(plan);
    if (together && (!shown || together.at > Date.parse(shown.asOf))) {
      const frame = composeTile(plan, together.results, label);
      const alerts = this.#alertsOf(plan, frame, now, acknowledged);
      return { ...frame, asOf: new Date(together.at).toISOString(), ...alerts };
    }
    return shown
      ? { ...shown, ...this.#alertsOf(plan, shown, now, acknowledged) }
      : { state: "waiting" };
  }

  /** A tile as it was last shown with values, and its instant. */
  #lastShown({ id }: TilePlan): (TileFrame & { asOf: string }) | null {
    const shown = this.last?.tiles[id];
    if (!this.last || !shown || !currentStates.includes(shown.state)) return null;
    return { ...shown, asOf: shown.asOf ?? this.last.asOf };
  }

  #alertsOf(
    plan: TilePlan,
    frame: TileFrame,
    now: number,
    acknowledged: FindAcknowledgement,
  ): Partial<TileFrame> {
    const { thresholds } = plan;
    if (thresholds.length === 0) return {};
    const at = { tile: plan.id, now: new Date(now).toISOString() };
    const evaluateAlert = (row: TileFrame["value"], value: TileFrame["value"]) =>
      this.#alerts.evaluate({ ...at, row, value: value ?? null }, thresholds, acknowledged);
    if (plan.kind !== "lights" && plan.kind !== "breakdown") {
      return { alert: evaluateAlert(undefined, frame.value) };
    }
    const rows = frame.rows?.map((row) => ({ ...row, alert: evaluateAlert(row.key, row.value) }));
    return rows ? { rows } : {};
  }

  /** When the passing of time alone makes a tile silent; null: never. */
  silentAt(queries: ReadonlyMap<string, LiveQuery>, now: number): number | null {
    const moments = this.plan.tiles.flatMap((tile) => {
      const all = (this.#parts.get(tile) ?? []).flatMap(([, key]) => queries.get(key) ?? []);
      const at = silentSince(tile, all);
      return Number.isFinite(at) && at >= now ? [at] : [];
    });
    return moments.length > 0 ? Math.min(...moments) : null;
  }
}

/** What a tile's alerts depend on, as a text. Its queries name the model that they are for, whatever differs in it. */
function measuredBy(tile: TilePlan): string {
  const queries = parts.map((part) => tile[part] && { ...tile[part], model: 0 });
  const bounds = tile.thresholds.map((one) => [one.word, one.at, one.below, one.hysteresis]);
  return JSON.stringify([tile.form, queries, bounds]);
}

function failed(all: readonly LiveQuery[]): TileFrame {
  const isTooMany = all.some(({ hasTooManyGroups }) => hasTooManyGroups);
  return { state: "failed", ...(isTooMany && { reason: "too_many_groups" }) };
}

/** The moment from which a tile counts as silent; infinity if no changes are expected. */
function silentSince({ expectEverySeconds }: TilePlan, live: readonly LiveQuery[]): number {
  if (expectEverySeconds === undefined || live.length === 0) return Number.POSITIVE_INFINITY;
  const changed = lastChange(live);
  const started =
    changed === null ? Math.min(...live.map((one) => one.createdAt)) : Date.parse(changed);
  return started + expectEverySeconds * 1_000;
}

function lastChange(live: readonly LiveQuery[]): string | null {
  const times = live.flatMap(({ changedAt }) => changedAt ?? []);
  return times.sort((a, b) => Date.parse(a) - Date.parse(b)).at(-1) ?? null;
}
