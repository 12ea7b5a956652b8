import { randomUUID } from "node:crypto";
import { explain } from "../../../shared/error-texts/explain.ts";
import type { Json } from "../../../shared/filter/filter.ts";
import type { Model } from "../../../shared/model/model.ts";
import type { WallboardDocument } from "../../../shared/model/wallboard/wallboard.ts";
import type { Subject } from "../../../shared/policy/scope.ts";
import { found, Refusal, unavailable } from "../../../shared/protocol/errors.ts";
import type {
  AcknowledgeCall,
  CreateWallboardCall,
  PatchWallboardCall,
  WallboardInfo,
} from "../../../shared/protocol/wallboards.ts";
import { hasRight, requireRight } from "../../auth/require-right.ts";
import { requireStorable } from "../../policy/require-storable.ts";
import type { Db } from "../../store/database.ts";
import { type Context, writeByModel } from "../../store/published-model.ts";
import type { ReadTurns } from "../../store/read-turns.ts";
import {
  countWallboards,
  findWallboard,
  findWallboards,
  holdWallboards,
  insertAcknowledgement,
  insertWallboard,
  listWallboards,
  lockWallboard,
  markWallboardRemoved,
  markWallboardRestored,
  publishDraft,
  updateDraft,
} from "../../store/tiles/wallboards.ts";
import { changedTiles, patchWallboard } from "./patch-wallboard.ts";
import { requireAlert } from "./require-alert.ts";
import { readWallboard, type Wallboard } from "./stored-wallboard.ts";
import { tilesWithTooManyGroups } from "./too-many-groups.ts";
import type { WallboardCache } from "./wallboard-cache.ts";
import {
  canReadWallboard,
  isHiddenTile,
  requireValidTiles,
  scopesToPublish,
} from "./wallboard-rights.ts";

const WALLBOARDS_MAX = 500;

/** What these commands work on. */
export interface Wallboards extends Context {
  reads: ReadTurns;
  wallboardCache: WallboardCache;
}

/**
 * The commands on wallboards, each authorised by the caller's rights. Every signed-in user may see published
 * ones, as far as they may read what the tiles need; the right `wallboards` changes wallboards, and displays show
 * what the publisher may read.
 */

export async function allWallboards(wallboards: Wallboards, me: Subject): Promise<WallboardInfo[]> {
  const stored = (await listWallboards(wallboards.database.kysely)).map(readWallboard);
  return stored.flatMap((wallboard) =>
    wallboard && maySee(wallboard, me) ? [describe(wallboards, wallboard, me)] : [],
  );
}

export async function oneWallboard(
  wallboards: Wallboards,
  me: Subject,
  id: string,
): Promise<WallboardInfo> {
  const row = await findWallboard(wallboards.database.kysely, id);
  const wallboard = row && readWallboard(row);
  if (!wallboard || !maySee(wallboard, me)) throw new Refusal("not_found");
  return describe(wallboards, wallboard, me);
}

export async function addWallboard(
  wallboards: Wallboards,
  me: Subject,
  { draft, ...call }: CreateWallboardCall,
): Promise<WallboardInfo> {
  requireRight(me, "wallboards");
  const authorised = wallboards.model();
  const document = { ...call, zone: call.zone ?? null };
  const id = randomUUID();
  await write(wallboards, async (tx) => {
    validate(wallboards, document, document.tiles, me);
    if ((await countWallboards(tx)) >= WALLBOARDS_MAX) {
      throw new Refusal("too_large", { limit: WALLBOARDS_MAX });
    }
    await insertWallboard(tx, { id, draft: document as unknown as Json, by: me.id });
    if (!draft) await publishTo(wallboards, tx, { id, document, me, authorised });
  });
  return draft ? answer(wallboards, me, id) : answerPublished(wallboards, me, id);
}

export async function changeWallboard(
  wallboards: Wallboards,
  me: Subject,
  id: string,
  call: PatchWallboardCall,
  overwrite: boolean,
): Promise<WallboardInfo> {
  requireRight(me, "wallboards");
  await write(wallboards, async (tx) => {
    const wallboard = await lock(tx, id);
    const document = patchWallboard(
      wallboard,
      withHidden(wallboards, wallboard, call, me),
      overwrite,
    );
    validate(wallboards, document, changedTiles(wallboard.draft, document), me);
    await updateDraft(tx, { id, draft: document as unknown as Json, by: me.id });
  });
  return answer(wallboards, me, id);
}

/** Publishes the draft on all screens at once; refused unless it is the `version` that was seen. */
export async function publishWallboard(
  wallboards: Wallboards,
  me: Subject,
  id: string,
  version: number | undefined,
): Promise<WallboardInfo> {
  requireRight(me, "wallboards");
  const authorised = wallboards.model();
  await write(wallboards, async (tx) => {
    const wallboard = await lock(tx, id);
    if (version !== undefined && version !== wallboard.version) {
      throw new Refusal("conflict", { version: wallboard.version });
    }
    await publishTo(wallboards, tx, { id, document: wallboard.draft, me, authorised });
  });
  return answerPublished(wallboards, me, id);
}

export async function removeWallboard(
  wallboards: Wallboards,
  me: Subject,
  id: string,
): Promise<void> {
  requireRight(me, "wallboards");
  if (!(await markWallboardRemoved(wallboards.database.kysely, id))) throw new Refusal("not_found");
  await wallboards.wallboardCache.refresh();
}

/** Restores a removed wallboard: its displays show it again. */
export async function restoreWallboard(
  wallboards: Wallboards,
  me: Subject,
  id: string,
): Promise<WallboardInfo> {
  requireRight(me, "wallboards");
  await wallboards.database.kysely.transaction().execute(async (tx) => {
    if (!(await markWallboardRestored(tx, id))) throw new Refusal("not_found");
    if ((await countWallboards(tx)) > WALLBOARDS_MAX) {
      throw new Refusal("too_large", { limit: WALLBOARDS_MAX });
    }
  });
  return answer(wallboards, me, id);
}

/**
 * Refuses wallboards that a user may not assign to a display: those that show what they may not read
 * themselves, and unpublished ones, unless they may design wallboards. A wallboard's publisher decides what its
 * displays show from then on (ADR 60).
 */
export async function requireWallboardsForDisplay(
  wallboards: Wallboards,
  me: Subject,
  ids: readonly string[],
): Promise<void> {
  const rows = await findWallboards(wallboards.database.kysely, ids);
  for (const wallboard of rows.map(readWallboard)) {
    if (!wallboard || !maySee(wallboard, me)) throw new Refusal("not_found", { field: "boards" });
    if (!wallboard.published || canReadWallboard(wallboard.published, wallboards.model(), me))
      continue;
    const values = { wallboard: wallboard.published.document.name };
    const explanation = explain("wallboard.hiddenOnDisplay", values);
    throw new Refusal("forbidden", { right: "read", wallboard: wallboard.id }, explanation);
  }
}

/** Acknowledges an alert of a published wallboard for everybody. */
export async function acknowledgeAlert(
  wallboards: Wallboards,
  me: Subject,
  id: string,
  call: AcknowledgeCall,
): Promise<void> {
  const { wallboardCache, database, limits, model, reads } = wallboards;
  const shown = (await wallboardCache.find(id))?.published?.document;
  const tile = shown?.tiles.find((one) => one.id === call.tile);
  if (!tile || isHiddenTile(tile, model(), me)) throw new Refusal("not_found");
  await requireAlert(reads, model(), { tile, call, me });
  const row_key = call.row === undefined ? "" : JSON.stringify(call.row);
  const acknowledgement = { wallboard: id, tile: tile.id, row_key, word: call.word, by: me.id };
  const most = limits.ACKNOWLEDGEMENTS_PER_TILE;
  const isStored = await database.kysely
    .transaction()
    .execute((tx) => insertAcknowledgement(tx, acknowledgement, most));
  if (!isStored) throw new Refusal("not_found");
  await wallboardCache.refresh();
}

/** No other write of wallboards, and no other model, before the transaction has ended. */
function write(wallboards: Wallboards, work: (tx: Db) => Promise<void>): Promise<void> {
  return writeByModel(wallboards, holdWallboards, work);
}

/**
 * Publishes what the caller may read. Their role hides fields by the names of the model that they were authorised by; if
 * another one was published since, the call is `unavailable`: sent again, it is authorised again.
 */
async function publishTo(
  wallboards: Wallboards,
  tx: Db,
  at: { id: string; document: WallboardDocument; me: Subject; authorised: Model },
): Promise<void> {
  const { id, document, me, authorised } = at;
  if (wallboards.model() !== authorised) throw unavailable();
  const scopes = scopesToPublish(document, authorised, me);
  await publishDraft(tx, { id, scopes: scopes as unknown as Json, by: me.id });
}

function validate(
  wallboards: Wallboards,
  document: WallboardDocument,
  tiles: WallboardDocument["tiles"],
  me: Subject,
): void {
  requireStorable(document);
  requireValidTiles(tiles, wallboards.model(), me);
}

/**
 * Users can't change tiles that they may not see: a list without them leaves them unchanged. A conflict
 * does not reveal them either.
 */
function withHidden(
  wallboards: Wallboards,
  wallboard: Wallboard,
  call: PatchWallboardCall,
  me: Subject,
): PatchWallboardCall {
  const hidden = wallboard.draft.tiles.filter((tile) => isHiddenTile(tile, wallboards.model(), me));
  const named = { ...call.base?.tiles, ...(Array.isArray(call.tiles) ? {} : call.tiles) };
  if (hidden.some(({ id }) => Object.hasOwn(named, id))) throw new Refusal("not_found");
  return Array.isArray(call.tiles) ? { ...call, tiles: [...call.tiles, ...hidden] } : call;
}

async function answer(wallboards: Wallboards, me: Subject, id: string): Promise<WallboardInfo> {
  await wallboards.wallboardCache.refresh();
  return oneWallboard(wallboards, me, id);
}

/** Names the tiles that show no values: the publisher may be a program, which sees no screen. */
async function answerPublished(
  wallboards: Wallboards,
  me: Subject,
  id: string,
): Promise<WallboardInfo> {
  const wallboard = await answer(wallboards, me, id);
  return { ...wallboard, tooManyGroups: await tilesWithTooManyGroups(wallboards, me, wallboard) };
}

function describe(wallboards: Wallboards, wallboard: Wallboard, me: Subject): WallboardInfo {
  const { id, version, updated, published } = wallboard;
  const document = hasRight(me, "wallboards") ? wallboard.draft : published?.document;
  const { name, tiles, grid, zone, theme } = document ?? wallboard.draft;
  const hidden = tiles.filter((tile) => isHiddenTile(tile, wallboards.model(), me));
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

/** Unpublished wallboards are visible only to users who may design wallboards. */
function maySee({ published }: Wallboard, me: Subject): boolean {
  return published !== null || hasRight(me, "wallboards");
}

async function lock(tx: Db, id: string): Promise<Wallboard> {
  const row = await lockWallboard(tx, id);
  return found(row && readWallboard(row));
}
