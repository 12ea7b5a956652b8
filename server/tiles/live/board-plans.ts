import { findTable } from "../../../shared/model/model.ts";
import {
  HOME_BOARD,
  homeBoard,
  type VisibleTable,
} from "../../../shared/model/wallboard/home-board.ts";
import { TABLES_BOARD, tablesBoard } from "../../../shared/model/wallboard/tables-board.ts";
import type { WallboardDocument } from "../../../shared/model/wallboard/wallboard.ts";
import { Refusal } from "../../../shared/protocol/errors.ts";
import type { TilesCall } from "../../../shared/protocol/tiles.ts";
import type { Identity } from "../../auth/identity.ts";
import { hasRight } from "../../auth/require-right.ts";
import type { CurrentModel } from "../../store/current-model.ts";
import type { Boards } from "../boards/boards.ts";
import type { Board } from "../boards/stored-board.ts";
import type { BoardPlan } from "../plan/board-plan.ts";
import { type BoardVersion, planBoard } from "../plan/plan-board.ts";
import { type Reader, readerOf } from "../reader.ts";
import type { BoardRequest, RemoteRequest } from "./tiles-messages.ts";

/** Boards and model are read again at most this often because another server knows others. */
const REFRESH_INTERVAL_MS = 1_000;

type Published = NonNullable<Board["published"]>;

/** A user or display by id, as of now; null if they do not exist or may not sign in. */
export type IdentifyReader = (reader: BoardRequest["reader"]) => Promise<Identity | null>;

/** Derived boards: made from the model, for each reader from what they may read. */
const builtInBoards = new Map<
  string,
  (visibleTables: readonly VisibleTable[], zone?: string) => WallboardDocument
>([
  [HOME_BOARD, homeBoard],
  [TABLES_BOARD, tablesBoard],
]);

/**
 * From a request to the board query that serves it. What may not be seen is `not_found`, like a missing one.
 * All displays of a board share one plan, made once for what is published.
 */
export class BoardPlans {
  readonly #boards: Boards;
  readonly #model: CurrentModel;
  readonly #identify: IdentifyReader;
  /**
   * By what is published. Each read of the boards makes it anew, so a board that was published again, in
   * another scope but unchanged, is planned again.
   */
  readonly #ofDisplays = new WeakMap<Published, BoardPlan>();
  #refreshing: Promise<unknown> = Promise.resolve();
  #refreshedAt = Number.NEGATIVE_INFINITY;

  constructor(boards: Boards, model: CurrentModel, identify: IdentifyReader) {
    this.#boards = boards;
    this.#model = model;
    this.#identify = identify;
  }

  /**
   * The plan that another server requests, derived from the database: who the reader is, what they may read,
   * what the board queries. Null if it is not the plan that the other server derived.
   */
  async derive({ scene: key, request }: RemoteRequest): Promise<BoardPlan | null> {
    const identity = await this.#identify(request.reader);
    if (!identity) return null;
    const plan = this.#tryGet(identity, request.call);
    if (plan?.key === key) return plan;
    await this.#refresh();
    const replanned = this.#tryGet(identity, request.call);
    return replanned?.key === key ? replanned : null;
  }

  #tryGet(identity: Identity, call: TilesCall): BoardPlan | null {
    try {
      return this.get(identity, call);
    } catch (error) {
      if (error instanceof Refusal) return null;
      throw error;
    }
  }

  /** A board or model that was published just now may not be known here yet. */
  #refresh(): Promise<unknown> {
    const now = performance.now();
    if (now - this.#refreshedAt > REFRESH_INTERVAL_MS) {
      this.#refreshedAt = now;
      this.#refreshing = Promise.all([this.#boards.refresh(), this.#model.refresh()]);
    }
    return this.#refreshing;
  }

  /** Waits only if a board may have been created on another server just now. */
  async find(identity: Identity, call: TilesCall): Promise<BoardPlan> {
    if (!builtInBoards.has(call.wallboard)) await this.#boards.find(call.wallboard);
    return this.get(identity, call);
  }

  /** Whether somebody who requests the board now may still get this plan: model and board are not newer. */
  isCurrent({ wallboard, version, modelVersion }: BoardPlan): boolean {
    if (modelVersion !== this.#model().version) return false;
    if (builtInBoards.has(wallboard)) return true;
    const board = this.#boards.get(wallboard);
    return version === board?.version || version === board?.published?.version;
  }

  get(identity: Identity, { wallboard, draft = false, zone }: TilesCall): BoardPlan {
    if (builtInBoards.has(wallboard)) return this.#planBuiltIn(identity, wallboard, zone);
    const board = this.#boards.get(wallboard) ?? null;
    const reader = readerOf(identity, board, draft);
    if (!board || !reader) throw new Refusal("not_found");
    if (draft) {
      if (!hasRight(identity.subject, "wallboards")) throw new Refusal("not_found");
      return this.#plan({ wallboard, version: board.version, document: board.draft }, reader);
    }
    if (!board.published) throw new Refusal("not_found");
    if (reader.kind === "display") return this.#planForDisplays(wallboard, board.published, reader);
    const { version, document } = board.published;
    return this.#plan({ wallboard, version, document }, reader);
  }

  #planBuiltIn(identity: Identity, wallboard: string, zone: string | undefined): BoardPlan {
    const reader = readerOf(identity, null, false);
    const make = builtInBoards.get(wallboard);
    if (!reader || !make) throw new Refusal("not_found");
    const model = this.#model();
    const visibleTables = model.tables.flatMap(({ name }) => {
      const table = findTable(model, name);
      const scope = table && reader.scopeOf(table);
      return table && scope ? [{ table, visible: scope.fields }] : [];
    });
    const document = make(visibleTables, zone);
    return this.#plan({ wallboard, version: model.version, document }, reader);
  }

  #planForDisplays(wallboard: string, published: Published, reader: Reader): BoardPlan {
    const known = this.#ofDisplays.get(published);
    if (known?.modelVersion === this.#model().version) return known;
    const { version, document } = published;
    const plan = this.#plan({ wallboard, version, document }, reader);
    this.#ofDisplays.set(published, plan);
    return plan;
  }

  #plan(subject: BoardVersion, reader: Reader): BoardPlan {
    return planBoard(subject, { reader, model: this.#model() });
  }
}
