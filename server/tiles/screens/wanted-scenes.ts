import type { ScenePlan } from "../plan/scene-plan.ts";
import type { Want } from "./tiles-messages.ts";

export interface WantedScenesDeps {
  derivePlan: (want: Want) => Promise<ScenePlan | null>;
  /** Called whenever a scene is wanted; `isMissing`: the server that wants it has no frame of it. */
  onFound: (plan: ScenePlan, isMissing: boolean) => void;
  log: { warn(detail: object, text: string): void };
}

interface Wanted {
  plan: ScenePlan;
  until: number;
  derivedAt: number;
}

const WANT_KEPT_MS = 15_000;
/** A plan is derived anew after so long: whoever it was derived for may have lost the right to it. */
const DERIVE_AGAIN_MS = 60_000;
/** Scenes of other servers that one server evaluates; they evaluate the others themselves. */
const WANTED_MAX = 5_000;

/**
 * The scenes that screens of other servers show. A server asks by ids; the plan, which says what is
 * read, is derived here from the database, and must be the same that the other server derived.
 */
export class WantedScenes {
  readonly #deps: WantedScenesDeps;
  readonly #wanted = new Map<string, Wanted>();
  /** Waiting to be derived, one after the other; the value says whether a frame is missing. */
  readonly #waiting = new Map<string, { want: Want; isMissing: boolean }>();
  #isDeriving = false;

  constructor(deps: WantedScenesDeps) {
    this.#deps = deps;
  }

  has(scene: string): boolean {
    return this.#wanted.has(scene);
  }

  delete(scene: string): void {
    this.#wanted.delete(scene);
  }

  *plans(): Iterable<ScenePlan> {
    for (const { plan } of this.#wanted.values()) yield plan;
  }

  forgetOld(now: number): void {
    for (const [scene, { until }] of this.#wanted) if (until < now) this.#wanted.delete(scene);
  }

  note(wants: readonly Want[], isMissing: boolean): void {
    const now = performance.now();
    for (const want of wants) {
      const known = this.#wanted.get(want.scene);
      if (known && now - known.derivedAt < DERIVE_AGAIN_MS) {
        known.until = now + WANT_KEPT_MS;
        this.#deps.onFound(known.plan, isMissing);
      } else if (this.#wanted.size + this.#waiting.size < WANTED_MAX) {
        this.#waiting.set(want.scene, { want, isMissing: isMissing || !known });
      }
    }
    if (!this.#isDeriving) void this.#deriveAll();
  }

  async #deriveAll(): Promise<void> {
    this.#isDeriving = true;
    for (const [scene, { want, isMissing }] of this.#waiting) {
      this.#waiting.delete(scene);
      const plan = await this.#derive(want);
      if (plan) this.#found(plan, isMissing);
      else this.#wanted.delete(scene);
    }
    this.#isDeriving = false;
  }

  #found(plan: ScenePlan, isMissing: boolean): void {
    const now = performance.now();
    this.#wanted.set(plan.key, { plan, until: now + WANT_KEPT_MS, derivedAt: now });
    this.#deps.onFound(plan, isMissing);
  }

  /** While the database is away nothing is derived: the other server asks again. */
  async #derive(want: Want): Promise<ScenePlan | null> {
    try {
      const plan = await this.#deps.derivePlan(want);
      return plan?.key === want.scene ? plan : null;
    } catch (err) {
      this.#deps.log.warn({ err }, "a board of another server can't be planned");
      return null;
    }
  }
}
