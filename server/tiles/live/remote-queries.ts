import type { WallboardPlan } from "../plan/wallboard-plan.ts";
import type { RemoteRequest } from "./tiles-messages.ts";
import type { WallboardPlans } from "./wallboard-plans.ts";

type Log = { warn(detail: object, text: string): void };
/** Called whenever a wallboard is requested; `isMissing`: the requesting server has no frame of it. */
type OnFound = (plan: WallboardPlan, isMissing: boolean) => void;

interface RemoteQuery {
  plan: WallboardPlan;
  until: number;
  derivedAt: number;
}

const REQUEST_TTL_MS = 15_000;
/** A plan is derived again after this long: its reader may have lost the right to it. */
const REDERIVE_AFTER_MS = 60_000;
/** Wallboards of other servers that one server evaluates; they evaluate the others themselves. */
const REMOTE_QUERIES_MAX = 5_000;

/**
 * The wallboards that screens of other servers show. A server requests by ids; the plan, which says what is read,
 * is derived here from the database, and must equal the one that the other server derived.
 */
export class RemoteQueries {
  readonly #plans: Pick<WallboardPlans, "derive">;
  readonly #log: Log;
  readonly #onFound: OnFound;
  readonly #queries = new Map<string, RemoteQuery>();
  /** Waiting to be derived, one after the other; the value says whether a frame is missing. */
  readonly #waiting = new Map<string, { remote: RemoteRequest; isMissing: boolean }>();
  #isDeriving = false;

  constructor(plans: Pick<WallboardPlans, "derive">, log: Log, onFound: OnFound) {
    this.#plans = plans;
    this.#log = log;
    this.#onFound = onFound;
  }

  has(key: string): boolean {
    return this.#queries.has(key);
  }

  delete(key: string): void {
    this.#queries.delete(key);
  }

  *plans(): Iterable<WallboardPlan> {
    for (const { plan } of this.#queries.values()) yield plan;
  }

  removeExpired(now: number): void {
    for (const [key, { until }] of this.#queries) if (until < now) this.#queries.delete(key);
  }

  note(requests: readonly RemoteRequest[], isMissing: boolean): void {
    const now = performance.now();
    for (const remote of requests) {
      const known = this.#queries.get(remote.scene);
      if (known && now - known.derivedAt < REDERIVE_AFTER_MS) {
        known.until = now + REQUEST_TTL_MS;
        this.#onFound(known.plan, isMissing);
      } else if (this.#queries.size + this.#waiting.size < REMOTE_QUERIES_MAX) {
        this.#waiting.set(remote.scene, { remote, isMissing: isMissing || !known });
      }
    }
    if (!this.#isDeriving) void this.#deriveAll();
  }

  async #deriveAll(): Promise<void> {
    this.#isDeriving = true;
    for (const [key, { remote, isMissing }] of this.#waiting) {
      this.#waiting.delete(key);
      const plan = await this.#derive(remote);
      if (plan) this.#found(plan, isMissing);
      else this.#queries.delete(key);
    }
    this.#isDeriving = false;
  }

  #found(plan: WallboardPlan, isMissing: boolean): void {
    const now = performance.now();
    this.#queries.set(plan.key, { plan, until: now + REQUEST_TTL_MS, derivedAt: now });
    this.#onFound(plan, isMissing);
  }

  /** While the database is unavailable nothing is derived: the other server requests it again. */
  async #derive(remote: RemoteRequest): Promise<WallboardPlan | null> {
    try {
      const plan = await this.#plans.derive(remote);
      return plan?.key === remote.scene ? plan : null;
    } catch (err) {
      this.#log.warn({ err }, "a wallboard of another server can't be planned");
      return null;
    }
  }
}
