import { findTable, type Model } from "../../../shared/model/model.ts";
import {
  HOME_BOARD,
  homeBoard,
  type SeenTable,
} from "../../../shared/model/wallboard/home-board.ts";
import { TABLES_BOARD, tablesBoard } from "../../../shared/model/wallboard/tables-board.ts";
import type { WallboardDocument } from "../../../shared/model/wallboard/wallboard.ts";
import { Refusal } from "../../../shared/protocol/errors.ts";
import type { TilesCall } from "../../../shared/protocol/tiles.ts";
import type { Identity } from "../../auth/identity.ts";
import { hasRight } from "../../auth/require-right.ts";
import type { Boards } from "../boards/boards.ts";
import { planScene, type SceneSubject } from "../plan/plan-scene.ts";
import type { ScenePlan } from "../plan/scene-plan.ts";
import { type Reader, readerOf } from "../reader.ts";
import type { BoardRequest, Want } from "./tiles-messages.ts";

const KEPT_MAX = 2_000;
/** Boards and model are read anew at most so often because another server knows others. */
const REFRESH_INTERVAL_MS = 1_000;

export interface PlansDeps {
  boards: Boards;
  model: () => Model;
  refreshModel: () => Promise<void>;
  /** Who a user or display is now, by id; null if they are not there or may not sign in. */
  identify: (reader: BoardRequest["reader"]) => Promise<Identity | null>;
}

/** Boards that nobody makes: worked out from the model, for each reader from what they may read. */
const ownBoards = new Map<string, (seen: readonly SeenTable[], zone?: string) => WallboardDocument>(
  [
    [HOME_BOARD, homeBoard],
    [TABLES_BOARD, tablesBoard],
  ],
);

/**
 * From what somebody asks to see to the scene that shows it. What may not be seen is `not_found`, like
 * what is not there. All displays of a board share one plan, made once.
 */
export class Plans {
  readonly #deps: PlansDeps;
  readonly #boards: Boards;
  readonly #model: () => Model;
  readonly #ofDisplays = new Map<string, ScenePlan>();
  #refreshing: Promise<unknown> = Promise.resolve();
  #refreshedAt = Number.NEGATIVE_INFINITY;

  constructor(deps: PlansDeps) {
    this.#deps = deps;
    this.#boards = deps.boards;
    this.#model = deps.model;
  }

  /**
   * The plan that another server wants, derived from the database: who the reader is, what they may
   * read, what the board asks for. Null if it is not the plan that the other server derived.
   */
  async derive({ scene, request }: Want): Promise<ScenePlan | null> {
    const identity = await this.#deps.identify(request.reader);
    if (!identity) return null;
    const plan = this.#tryGet(identity, request.call);
    if (plan?.key === scene) return plan;
    await this.#refresh();
    const anew = this.#tryGet(identity, request.call);
    return anew?.key === scene ? anew : null;
  }

  #tryGet(identity: Identity, call: TilesCall): ScenePlan | null {
    try {
      return this.get(identity, call);
    } catch (error) {
      if (error instanceof Refusal) return null;
      throw error;
    }
  }

  /** A board or model that was published this moment may not be known here yet. */
  #refresh(): Promise<unknown> {
    const now = performance.now();
    if (now - this.#refreshedAt > REFRESH_INTERVAL_MS) {
      this.#refreshedAt = now;
      this.#refreshing = Promise.all([this.#boards.refresh(), this.#deps.refreshModel()]);
    }
    return this.#refreshing;
  }

  /** Waits only where a board may have been made on another server this moment. */
  async find(identity: Identity, call: TilesCall): Promise<ScenePlan> {
    if (!ownBoards.has(call.wallboard)) await this.#boards.find(call.wallboard);
    return this.get(identity, call);
  }

  get(identity: Identity, { wallboard, draft = false, zone }: TilesCall): ScenePlan {
    if (ownBoards.has(wallboard)) return this.#own(identity, wallboard, zone);
    const board = this.#boards.get(wallboard) ?? null;
    const reader = readerOf(identity, board, draft);
    if (!board || !reader) throw new Refusal("not_found");
    if (draft) {
      if (!hasRight(identity.subject, "wallboards")) throw new Refusal("not_found");
      return this.#plan({ wallboard, version: board.version, document: board.draft }, reader);
    }
    if (!board.published) throw new Refusal("not_found");
    const { version, document } = board.published;
    return this.#plan({ wallboard, version, document }, reader);
  }

  #own(identity: Identity, wallboard: string, zone: string | undefined): ScenePlan {
    const reader = readerOf(identity, null, false);
    const make = ownBoards.get(wallboard);
    if (!reader || !make) throw new Refusal("not_found");
    const model = this.#model();
    const seen = model.tables.flatMap(({ name }) => {
      const table = findTable(model, name);
      const scope = table && reader.scopeOf(table);
      return table && scope ? [{ table, visible: scope.fields }] : [];
    });
    const document = make(seen, zone);
    return this.#plan({ wallboard, version: model.version, document }, reader);
  }

  #plan(subject: SceneSubject, reader: Reader): ScenePlan {
    const model = this.#model();
    if (reader.kind === "person") return planScene(subject, { reader, model });
    const key = `${model.version} ${subject.version} ${subject.wallboard}`;
    const known = this.#ofDisplays.get(key) ?? planScene(subject, { reader, model });
    if (this.#ofDisplays.size >= KEPT_MAX) this.#ofDisplays.clear();
    this.#ofDisplays.set(key, known);
    return known;
  }
}
