import { randomUUID } from "node:crypto";
import type { Json } from "../../../shared/filter/filter.ts";
import { isStorableJson } from "../../../shared/filter/storable.ts";
import type { Limits } from "../../../shared/limits.ts";
import type { Model } from "../../../shared/model/model.ts";
import type { WallboardDocument } from "../../../shared/model/wallboard/wallboard.ts";
import type { Subject } from "../../../shared/policy/scope.ts";
import { Refusal } from "../../../shared/protocol/errors.ts";
import type {
  AcknowledgeCall,
  CreateWallboardCall,
  PatchWallboardCall,
  WallboardInfo,
} from "../../../shared/protocol/wallboards.ts";
import { hasRight, requireRight } from "../../auth/require-right.ts";
import type { Database, Db } from "../../store/database.ts";
import {
  countWallboards,
  findWallboards,
  insertAcknowledgement,
  insertWallboard,
  listWallboards,
  lockWallboard,
  publishDraft,
  removeWallboard,
  restoreWallboard,
  updateDraft,
} from "../../store/tiles/wallboards.ts";
import { canReadBoard, isHiddenTile, requireValidTiles, scopesToPublish } from "./board-rights.ts";
import type { Boards } from "./boards.ts";
import { changedTiles, patchBoard } from "./patch-board.ts";
import { requireAlert } from "./require-alert.ts";
import { type Board, readBoard } from "./stored-board.ts";

const WALLBOARDS_MAX = 500;

export interface BoardCommandDeps {
  database: Database;
  boards: Boards;
  model: () => Model;
  limits: Pick<Limits, "ACKNOWLEDGEMENTS_PER_TILE">;
}

/**
 * The commands on wallboards, each authorised by the caller's rights. Every signed-in user may see published
 * ones, as far as they may read what the tiles need; the right `wallboards` changes boards, and displays show
 * what the publisher may read.
 */
export class BoardCommands {
  readonly #deps: BoardCommandDeps;

  constructor(deps: BoardCommandDeps) {
    this.#deps = deps;
  }

  async list(me: Subject): Promise<WallboardInfo[]> {
    const boards = (await listWallboards(this.#deps.database.kysely)).map(readBoard);
    return boards.flatMap((board) =>
      board && maySee(board, me) ? [this.#describe(board, me)] : [],
    );
  }

  async one(me: Subject, id: string): Promise<WallboardInfo> {
    const board = (await listWallboards(this.#deps.database.kysely))
      .map(readBoard)
      .find((one) => one?.id === id);
    if (!board || !maySee(board, me)) throw new Refusal("not_found");
    return this.#describe(board, me);
  }

  async create(me: Subject, { draft, ...document }: CreateWallboardCall): Promise<WallboardInfo> {
    requireRight(me, "wallboards");
    this.#validate(document, document.tiles, me);
    const id = randomUUID();
    await this.#deps.database.kysely.transaction().execute(async (tx) => {
      if ((await countWallboards(tx)) >= WALLBOARDS_MAX) {
        throw new Refusal("too_large", { limit: WALLBOARDS_MAX });
      }
      await insertWallboard(tx, { id, draft: document as unknown as Json, by: me.id });
      if (!draft) await this.#publish(tx, id, document, me);
    });
    return this.#answer(me, id);
  }

  async change(
    me: Subject,
    id: string,
    call: PatchWallboardCall,
    overwrite: boolean,
  ): Promise<WallboardInfo> {
    requireRight(me, "wallboards");
    await this.#deps.database.kysely.transaction().execute(async (tx) => {
      const board = await lock(tx, id);
      const document = patchBoard(board, this.#withHidden(board, call, me), overwrite);
      this.#validate(document, changedTiles(board.draft, document), me);
      await updateDraft(tx, { id, draft: document as unknown as Json, by: me.id });
    });
    return this.#answer(me, id);
  }

  /** Publishes the draft on all screens at once; refused unless it is the `version` that was seen. */
  async publish(me: Subject, id: string, version: number | undefined): Promise<WallboardInfo> {
    requireRight(me, "wallboards");
    await this.#deps.database.kysely.transaction().execute(async (tx) => {
      const board = await lock(tx, id);
      if (version !== undefined && version !== board.version) {
        throw new Refusal("conflict", { version: board.version });
      }
      await this.#publish(tx, id, board.draft, me);
    });
    return this.#answer(me, id);
  }

  async remove(me: Subject, id: string): Promise<void> {
    requireRight(me, "wallboards");
    if (!(await removeWallboard(this.#deps.database.kysely, id))) throw new Refusal("not_found");
    await this.#deps.boards.refresh();
  }

  /** Restores a removed board: its displays show it again. */
  async restore(me: Subject, id: string): Promise<WallboardInfo> {
    requireRight(me, "wallboards");
    await this.#deps.database.kysely.transaction().execute(async (tx) => {
      if (!(await restoreWallboard(tx, id))) throw new Refusal("not_found");
      if ((await countWallboards(tx)) > WALLBOARDS_MAX) {
        throw new Refusal("too_large", { limit: WALLBOARDS_MAX });
      }
    });
    return this.#answer(me, id);
  }

  /**
   * Refuses boards that a user may not assign to a display: those that show what they may not read
   * themselves, and unpublished ones, unless they may design boards. A board's publisher decides what its
   * displays show from then on (ADR 27).
   */
  async requireForDisplay(me: Subject, ids: readonly string[]): Promise<void> {
    const rows = await findWallboards(this.#deps.database.kysely, ids);
    for (const board of rows.map(readBoard)) {
      if (!board || !maySee(board, me)) throw new Refusal("not_found", { field: "boards" });
      if (!board.published || canReadBoard(board.published, this.#deps.model(), me)) continue;
      const message = `“${board.draft.name}” shows what you may not read yourself, so you can't put it on a display.`;
      throw new Refusal("forbidden", { right: "read", wallboard: board.id }, message);
    }
  }

  /** Acknowledges an alert of a published board for everybody. */
  async acknowledge(me: Subject, id: string, call: AcknowledgeCall): Promise<void> {
    const { boards, database, limits, model } = this.#deps;
    const shown = (await boards.find(id))?.published?.document;
    const tile = shown?.tiles.find((one) => one.id === call.tile);
    if (!tile || isHiddenTile(tile, model(), me)) throw new Refusal("not_found");
    await requireAlert(database, model(), { tile, call, me });
    const row_key = call.row === undefined ? "" : JSON.stringify(call.row);
    const acknowledgement = { wallboard: id, tile: tile.id, row_key, word: call.word, by: me.id };
    const most = limits.ACKNOWLEDGEMENTS_PER_TILE;
    const isStored = await database.kysely
      .transaction()
      .execute((tx) => insertAcknowledgement(tx, acknowledgement, most));
    if (!isStored) throw new Refusal("not_found");
    await boards.refresh();
  }

  async #publish(tx: Db, id: string, document: WallboardDocument, me: Subject): Promise<void> {
    const scopes = scopesToPublish(document, this.#deps.model(), me);
    await publishDraft(tx, { id, scopes: scopes as unknown as Json, by: me.id });
  }

  #validate(document: WallboardDocument, tiles: WallboardDocument["tiles"], me: Subject): void {
    if (!isStorableJson(document as unknown as Json)) {
      throw new Refusal("invalid_request", {}, "A text has a character that can't be stored.");
    }
    requireValidTiles(tiles, this.#deps.model(), me);
  }

  /**
   * Users can't change tiles that they may not see: a list without them leaves them unchanged. A conflict
   * does not reveal them either.
   */
  #withHidden(board: Board, call: PatchWallboardCall, me: Subject): PatchWallboardCall {
    const hidden = board.draft.tiles.filter((tile) => isHiddenTile(tile, this.#deps.model(), me));
    const named = { ...call.base?.tiles, ...(Array.isArray(call.tiles) ? {} : call.tiles) };
    if (hidden.some(({ id }) => Object.hasOwn(named, id))) throw new Refusal("not_found");
    return Array.isArray(call.tiles) ? { ...call, tiles: [...call.tiles, ...hidden] } : call;
  }

  async #answer(me: Subject, id: string): Promise<WallboardInfo> {
    await this.#deps.boards.refresh();
    return this.one(me, id);
  }

  #describe(board: Board, me: Subject): WallboardInfo {
    const { id, version, updated, published } = board;
    const document = hasRight(me, "wallboards") ? board.draft : published?.document;
    const { name, tiles, grid, zone, theme } = document ?? board.draft;
    const hidden = tiles.filter((tile) => isHiddenTile(tile, this.#deps.model(), me));
    return {
      id,
      version,
      name,
      tiles: tiles.filter((tile) => !hidden.includes(tile)),
      hidden: hidden.map((tile) => tile.id),
      grid,
      zone,
      theme,
      published: published && { version: published.version, at: published.at, by: published.by },
      updated,
    };
  }
}

/** Unpublished boards are visible only to users who may design boards. */
function maySee({ published }: Board, me: Subject): boolean {
  return published !== null || hasRight(me, "wallboards");
}

async function lock(tx: Db, id: string): Promise<Board> {
  const row = await lockWallboard(tx, id);
  const board = row && readBoard(row);
  if (!board) throw new Refusal("not_found");
  return board;
}
