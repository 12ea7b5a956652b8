import type { BoardPosition, FrameMessage, TileFrame } from "../../../shared/protocol/frame.ts";
import { type Question, questionKey } from "../plan/question.ts";
import type { LabelSource, ScenePlan, TilePlan } from "../plan/scene-plan.ts";
import { Alerts, type FindAcknowledgement } from "./alerts.ts";
import type { AskedQuestion } from "./asked-question.ts";
import { composeTile, type TileAnswers } from "./compose-tile.ts";
import { figuresPrint } from "./figures-print.ts";
import type { FindLabel } from "./labels.ts";

const parts = ["total", "groups", "series", "before", "whole", "top", "recent"] as const;
type Part = (typeof parts)[number];

/** How long a scene waits for all its answers to be of one instant before late ones are told as such. */
const PATIENCE_MS = 1_000;
/** An answer that will not be read for so long is late anyhow: the others don't wait for it. */
const SOON_MS = 300;

/**
 * One board in one reader's eyes, put together from answers that others may share. All figures of a
 * frame are of one position; an answer that can't keep up is told with the instant it is of.
 */
export class Scene {
  readonly plan: ScenePlan;
  readonly keys: ReadonlyMap<string, Question>;
  readonly #parts: ReadonlyMap<TilePlan, [Part, string][]>;
  readonly #alerts = new Alerts();
  #brokenSince: number | null = null;
  #wordsMissingSince: number | null = null;
  last: FrameMessage | null = null;
  /** Which figures the last frame shows (figures-print.ts). */
  figures = "";
  /** Something may be shown otherwise: an answer, a word, an alert, the passing of time. */
  isDirty = true;

  constructor(plan: ScenePlan, previous: FrameMessage | null) {
    this.plan = plan;
    const keys = new Map<string, Question>();
    const byTile = new Map<TilePlan, [Part, string][]>();
    for (const tile of plan.tiles) {
      const asked: [Part, string][] = [];
      for (const part of parts) {
        const question = tile[part];
        if (!question) continue;
        const key = questionKey(question);
        keys.set(key, question);
        asked.push([part, key]);
      }
      byTile.set(tile, asked);
    }
    this.keys = keys;
    this.#parts = byTile;
    if (previous) this.#alerts.remember(previous);
  }

  /** Whether all answers are of the position that the others have; else it had better wait a moment. */
  isOfOneInstant(questions: ReadonlyMap<string, AskedQuestion>, now: number): boolean {
    const isWhole = [...this.keys.keys()].every((key) => {
      const asked = questions.get(key);
      if (!asked || asked.hasFailed || asked.notBefore > now + SOON_MS) return true;
      if (asked.isSlow) return true;
      return asked.isAnswered && !asked.isStale;
    });
    if (isWhole) this.#brokenSince = null;
    else this.#brokenSince ??= now;
    return isWhole || now - (this.#brokenSince ?? now) > PATIENCE_MS;
  }

  /** Whether it still waits for words that are looked up; those that take long are told when they are there. */
  waitsForWords(areLookedUp: boolean, now: number): boolean {
    if (areLookedUp) this.#wordsMissingSince ??= now;
    else this.#wordsMissingSince = null;
    return this.#wordsMissingSince !== null && now - this.#wordsMissingSince < PATIENCE_MS;
  }

  /** Whether an answer is about to be another one, by the model, a change or the clock alone. */
  isMoving(questions: ReadonlyMap<string, AskedQuestion>, at: number): boolean {
    return [...this.keys.keys()].some((key) => {
      const asked = questions.get(key);
      if (!asked) return true;
      // a slow answer is told with the instant that it is of: it keeps the others from nothing
      const isLate = asked.hasFailed || (asked.isSlow && asked.isAnswered);
      return !isLate && (asked.isStale || (asked.wakeAt ?? at + 1) <= at);
    });
  }

  /** The sources of words, with the keys that are to be looked up. */
  wantedLabels(questions: ReadonlyMap<string, AskedQuestion>) {
    const wanted: { source: LabelSource; keys: Set<string> }[] = [];
    for (const tile of this.plan.tiles) {
      for (const [, key] of this.#parts.get(tile) ?? []) {
        const answer = questions.get(key)?.answer();
        if (answer?.kind === "figures" && tile.labels) {
          const keys = answer.figures.map((figure) => String(figure.key));
          wanted.push({ source: tile.labels, keys: new Set(keys) });
        }
        const rows = answer?.kind === "top" ? answer.records : [];
        const told = answer?.kind === "recent" ? answer.changes : [];
        for (const [name, source] of Object.entries(tile.texts ?? {})) {
          const values = [...rows, ...told].flatMap((row) => row.values[name] ?? []);
          wanted.push({ source, keys: new Set(values.map(String)) });
        }
      }
    }
    return wanted;
  }

  /** Puts the frame together; null where nothing in it is other than in the last one. */
  compose(
    questions: ReadonlyMap<string, AskedQuestion>,
    at: { now: number; position: BoardPosition },
    label: FindLabel,
    acknowledged: FindAcknowledgement,
  ): FrameMessage | null {
    const asOf = new Date(at.now).toISOString();
    const tiles: Record<string, TileFrame> = {};
    for (const tile of this.plan.tiles) {
      tiles[tile.id] = this.#tile(tile, questions, at.now, label, acknowledged);
    }
    this.isDirty = false;
    const { wallboard, version, board } = this.plan;
    this.last = { wallboard, version, position: at.position, asOf, tiles, board };
    const figures = figuresPrint(tiles);
    if (figures === this.figures) return null;
    this.figures = figures;
    return this.last;
  }

  #tile(
    plan: TilePlan,
    questions: ReadonlyMap<string, AskedQuestion>,
    now: number,
    label: FindLabel,
    acknowledged: FindAcknowledgement,
  ): TileFrame {
    if (plan.state) return { state: plan.state };
    const asked = (this.#parts.get(plan) ?? []).map(
      ([part, key]): [Part, AskedQuestion | undefined] => [part, questions.get(key)],
    );
    const all = asked.flatMap(([, one]) => one ?? []);
    if (all.length < asked.length) return { state: "failed" };
    if (!all.every(({ isAnswered }) => isAnswered)) {
      return all.some(({ hasFailed }) => hasFailed) ? failed(all) : { state: "waiting" };
    }
    const answers = Object.fromEntries(asked.map(([part, one]) => [part, one?.answer()]));
    const frame = composeTile(plan, answers as TileAnswers, label);
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

  #alertsOf(
    plan: TilePlan,
    frame: TileFrame,
    now: number,
    acknowledged: FindAcknowledgement,
  ): Partial<TileFrame> {
    const { thresholds } = plan;
    if (thresholds.length === 0) return {};
    const at = { tile: plan.id, now: new Date(now).toISOString() };
    const judge = (row: TileFrame["value"], value: TileFrame["value"]) =>
      this.#alerts.judge({ ...at, row, value: value ?? null }, thresholds, acknowledged);
    if (plan.kind !== "lights" && plan.kind !== "breakdown") {
      return { alert: judge(undefined, frame.value) };
    }
    const rows = frame.rows?.map((row) => ({ ...row, alert: judge(row.key, row.value) }));
    return rows ? { rows } : {};
  }

  /** When the passing of time alone makes a tile silent; null: never. */
  silentAt(questions: ReadonlyMap<string, AskedQuestion>, now: number): number | null {
    const moments = this.plan.tiles.flatMap((tile) => {
      const all = (this.#parts.get(tile) ?? []).flatMap(([, key]) => questions.get(key) ?? []);
      const at = silentSince(tile, all);
      return Number.isFinite(at) && at >= now ? [at] : [];
    });
    return moments.length > 0 ? Math.min(...moments) : null;
  }
}

function failed(all: readonly AskedQuestion[]): TileFrame {
  const isTooMany = all.some(({ hasTooManyGroups }) => hasTooManyGroups);
  return { state: "failed", ...(isTooMany && { reason: "too_many_groups" }) };
}

/** The moment from which on a tile counts as silent; infinity where nothing is expected of it. */
function silentSince({ expectEverySeconds }: TilePlan, asked: readonly AskedQuestion[]): number {
  if (expectEverySeconds === undefined || asked.length === 0) return Number.POSITIVE_INFINITY;
  const changed = lastChange(asked);
  const began =
    changed === null ? Math.min(...asked.map((one) => one.askedAt)) : Date.parse(changed);
  return began + expectEverySeconds * 1_000;
}

function lastChange(asked: readonly AskedQuestion[]): string | null {
  const times = asked.flatMap(({ changedAt }) => changedAt ?? []);
  return times.sort((a, b) => Date.parse(a) - Date.parse(b)).at(-1) ?? null;
}
