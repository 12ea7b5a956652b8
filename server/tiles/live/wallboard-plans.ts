import type { TextOrder } from "../../../shared/filter/text-order.ts";
import { findTable, zoneOf } from "../../../shared/model/model.ts";
import {
  HOME_WALLBOARD,
  homeWallboard,
  type VisibleTable,
} from "../../../shared/model/wallboard/home-wallboard.ts";
import {
  TABLES_WALLBOARD,
  tablesWallboard,
} from "../../../shared/model/wallboard/tables-wallboard.ts";
import type { WallboardDocument } from "../../../shared/model/wallboard/wallboard.ts";
import { Refusal } from "../../../shared/protocol/errors.ts";
import type { TilesCall } from "../../../shared/protocol/frame.ts";
import type { Identity } from "../../auth/identity.ts";
import { hasRight } from "../../auth/require-right.ts";
import type { CurrentModel } from "../../store/current-model.ts";
import { planWallboard, type WallboardVersion } from "../plan/plan-wallboard.ts";
import type { WallboardPlan } from "../plan/wallboard-plan.ts";
import { type Reader, readerOf } from "../reader.ts";
import type { Wallboard } from "../wallboards/stored-wallboard.ts";
import type { WallboardCache } from "../wallboards/wallboard-cache.ts";
import type { RemoteRequest, WallboardRequest } from "./tiles-messages.ts";

/** Wallboards and model are read again at most this often because another server knows others. */
const REFRESH_INTERVAL_MS = 1_000;

/** Plans of a wallboard for displays with different rights or zones. */
const DISPLAY_PLANS_MAX = 100;

type Published = NonNullable<Wallboard["published"]>;

/** A user or display by id, as of now; null if they do not exist or may not sign in. */
export type IdentifyReader = (reader: WallboardRequest["reader"]) => Promise<Identity | null>;

/** Derived wallboards: made from the model, for each reader from what they may read. */
const builtInWallboards = new Map<
  string,
  (visibleTables: readonly VisibleTable[], zone?: string) => WallboardDocument
>([
  [HOME_WALLBOARD, homeWallboard],
  [TABLES_WALLBOARD, tablesWallboard],
]);

/**
 * From a request to the wallboard query that serves it. What may not be seen is `not_found`, like a missing one.
 * All displays of a wallboard with the same rights and the same zone share one plan, made once for what is published.
 */
export class WallboardPlans {
  readonly #cache: WallboardCache;
  readonly #model: CurrentModel;
  readonly #identify: IdentifyReader;
  readonly #textOrder: TextOrder;
  /**
   * By what is published. Each read of the wallboards makes it anew, so a wallboard that was published again, in
   * another scope but unchanged, is planned again.
   */
  readonly #ofDisplays = new WeakMap<Published, Map<string, WallboardPlan>>();
  #refreshing: Promise<unknown> = Promise.resolve();
  #refreshedAt = Number.NEGATIVE_INFINITY;

  constructor(
    cache: WallboardCache,
    model: CurrentModel,
    identify: IdentifyReader,
    textOrder: TextOrder,
  ) {
    this.#cache = cache;
    this.#model = model;
    this.#identify = identify;
    this.#textOrder = textOrder;
  }

  /**
   * The plan that another server requests, derived from the database: who the reader is, what they may read,
   * what the wallboard queries. Null if it is not the plan that the other server derived.
   */
  async derive({ scene: key, request }: RemoteRequest): Promise<WallboardPlan | null> {
    const identity = await this.#identify(request.reader);
    if (!identity) return null;
    const plan = this.#tryGet(identity, request.call);
    if (plan?.key === key) return plan;
    await this.#refresh();
    const replanned = this.#tryGet(identity, request.call);
    return replanned?.key === key ? replanned : null;
  }

  #tryGet(identity: Identity, call: TilesCall): WallboardPlan | null {
    try {
      return this.get(identity, call);
    } catch (error) {
      if (error instanceof Refusal) return null;
      throw error;
    }
  }

  /** A wallboard or model that was published just now may not be known here yet. */
  #refresh(): Promise<unknown> {
    const now = performance.now();
    if (now - this.#refreshedAt > REFRESH_INTERVAL_MS) {
      this.#refreshedAt = now;
      this.#refreshing = Promise.all([this.#cache.refresh(), this.#model.refresh()]);
    }
    return this.#refreshing;
  }

  /** Waits only if a wallboard may have been created on another server just now. */
  async find(identity: Identity, call: TilesCall): Promise<WallboardPlan> {
    if (!builtInWallboards.has(call.wallboard)) await this.#cache.find(call.wallboard);
    return this.get(identity, call);
  }

  /** Whether somebody who requests the wallboard now may still get this plan: model and wallboard are not newer. */
  isCurrent({ wallboard, version, modelVersion }: WallboardPlan): boolean {
    if (modelVersion !== this.#model().version) return false;
    if (builtInWallboards.has(wallboard)) return true;
    const stored = this.#cache.get(wallboard);
    return version === stored?.version || version === stored?.published?.version;
  }

  get(identity: Identity, { wallboard, draft = false, zone }: TilesCall): WallboardPlan {
    if (builtInWallboards.has(wallboard)) return this.#planBuiltIn(identity, wallboard, zone);
    const stored = this.#cache.get(wallboard) ?? null;
    const reader = readerOf(identity, stored, draft);
    if (!stored || !reader) throw new Refusal("not_found");
    if (draft) {
      if (!hasRight(identity.subject, "wallboards")) throw new Refusal("not_found");
      return this.#plan({ wallboard, version: stored.version, document: stored.draft }, reader);
    }
    if (!stored.published) throw new Refusal("not_found");
    if (reader.kind === "display")
      return this.#planForDisplays(wallboard, stored.published, reader, identity);
    const { version, document } = stored.published;
    return this.#plan({ wallboard, version, document }, reader);
  }

  #planBuiltIn(identity: Identity, wallboard: string, zone: string | undefined): WallboardPlan {
    const reader = readerOf(identity, null, false);
    const make = builtInWallboards.get(wallboard);
    if (!reader || !make) throw new Refusal("not_found");
    const model = this.#model();
    const visibleTables = model.tables.flatMap(({ name }) => {
      const table = findTable(model, name);
      const scope = table && reader.scopeOf(table);
      return table && scope ? [{ table, visible: scope.fields }] : [];
    });
    const document = make(visibleTables, zone ?? zoneOf(model));
    return this.#plan({ wallboard, version: model.version, document }, reader);
  }

  #planForDisplays(
    wallboard: string,
    published: Published,
    reader: Reader,
    { bound, display }: Identity,
  ): WallboardPlan {
    const zone = display?.zone ?? null;
    const plans = this.#ofDisplays.get(published) ?? new Map<string, WallboardPlan>();
    this.#ofDisplays.set(published, plans);
    const key = JSON.stringify([zone, bound?.id, bound?.role, bound?.attributes]);
    const known = plans.get(key);
    if (known?.modelVersion === this.#model().version) return known;
    const { version, document } = published;
    const plan = this.#plan({ wallboard, version, document, zone }, reader);
    if (plans.size >= DISPLAY_PLANS_MAX) plans.clear();
    plans.set(key, plan);
    return plan;
  }

  #plan(subject: WallboardVersion, reader: Reader): WallboardPlan {
    return planWallboard(subject, { reader, model: this.#model(), textOrder: this.#textOrder });
  }
}
