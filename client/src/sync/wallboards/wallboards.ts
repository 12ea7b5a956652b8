import type { TileInput } from "../../../../shared/model/wallboard/tile.ts";
import type {
  AcknowledgeCall,
  CreateWallboardCall,
  WallboardInfo,
} from "../../../../shared/protocol/wallboards.ts";
import { wallboardNewsAtom } from "../../state/board-state.ts";
import { draftAtom } from "../../state/draft-state.ts";
import { store } from "../../state/store.ts";
import { rest } from "../../transport/rest.ts";
import { systemClock } from "../clock.ts";
import { pageCore } from "../page/page-core.ts";
import { WallboardDraft } from "./wallboard-draft.ts";

/** Wallboards as the server keeps them: the list, what becomes of one, and one in the designer. */

/** The boards that I may see: drafts for who may change them, what is published for others. */
export async function listWallboards(): Promise<WallboardInfo[]> {
  const { items } = await rest("GET /wallboards");
  return items.toSorted((a, b) => a.name.localeCompare(b.name));
}

/** A board that stays a draft until it is published. */
export type NewBoard = Pick<CreateWallboardCall, "name"> &
  Partial<Pick<CreateWallboardCall, "grid" | "zone" | "theme">> & { tiles?: TileInput[] };

export function createWallboard(board: NewBoard): Promise<WallboardInfo> {
  const { name, tiles, grid, zone, theme } = board;
  const body = { name, tiles, grid, zone, theme, draft: true };
  return rest("POST /wallboards", { body });
}

/** A draft that begins as what another board shows. */
export function duplicateWallboard(board: WallboardInfo, name: string): Promise<WallboardInfo> {
  return createWallboard({ ...board, name });
}

export function deleteWallboard(id: string): Promise<void> {
  return rest("DELETE /wallboards/{id}", { params: { id } });
}

/** Calls back whenever a wallboard was made, changed, published or removed by anybody. */
export function onWallboardNews(call: () => void): () => void {
  return store.sub(wallboardNewsAtom, call);
}

/** Brings a board back that was deleted a moment ago, with what screens show of it. */
export function restoreWallboard(id: string): Promise<WallboardInfo> {
  return rest("POST /wallboards/{id}/restore", { params: { id } });
}

/** Says for all screens that an alert of what is published has been seen. */
export function acknowledgeAlert(id: string, body: AcknowledgeCall): Promise<void> {
  return rest("POST /wallboards/{id}/acknowledgements", { params: { id }, body });
}

/** A paired display, by what it last said of its own picture. */
export interface KnownScreen {
  id: string;
  name: string;
  width: number;
  height: number;
}

/** The displays whose size is known. */
export async function listScreens(): Promise<KnownScreen[]> {
  const { items } = await rest("GET /displays");
  return items.flatMap(({ id, name, report, status }) =>
    report && report.width > 0 && report.height > 0 && status !== "revoked"
      ? [{ id, name, width: report.width, height: report.height }]
      : [],
  );
}

/** Opens a board's draft: `draftAtom(id)` shows it, others' edits included, until `leave`. */
export function openDraft(id: string, describe: (error: unknown) => string) {
  const params = { id };
  const draft = new WallboardDraft({
    door: {
      read: () => rest("GET /wallboards/{id}", { params }),
      patch: (body) => rest("PATCH /wallboards/{id}", { params, body }),
      publish: (version) => rest("POST /wallboards/{id}/publish", { params, body: { version } }),
    },
    store,
    atom: draftAtom(id),
    clock: systemClock,
    describe,
  });
  const stop = store.sub(wallboardNewsAtom, () => {
    const news = store.get(wallboardNewsAtom);
    if (news?.wallboard === id) void draft.refresh(news.removed ? undefined : news);
  });
  const leave = () => {
    stop();
    draft.close();
  };
  return { draft, leave };
}

/** Follows the figures of a board until the returned function is called; `boardAtom` shows them. */
export function followBoard(board: string, draft: boolean): () => void {
  return pageCore().boards.open(board, draft);
}
