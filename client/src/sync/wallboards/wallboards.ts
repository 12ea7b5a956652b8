import type { TileInput } from "../../../../shared/model/wallboard/tile.ts";
import type { CreateWallboardCall, WallboardInfo } from "../../../../shared/protocol/wallboards.ts";
import { onUpdate } from "../../state/updates.ts";
import { rest } from "../../transport/rest/rest.ts";
import { pageCore } from "../page/page-core.ts";
import type { WallboardApi } from "./wallboard-draft.ts";

/** The server's wallboards: the list, the values of one, and its draft in the designer. */

/** The wallboards that the user may see, by name: drafts only if they may change wallboards. */
export async function listWallboards(): Promise<WallboardInfo[]> {
  const { items } = await rest("GET /wallboards");
  return items.toSorted((a, b) => a.name.localeCompare(b.name));
}

/** A wallboard that stays a draft until it is published. */
type NewWallboard = Pick<CreateWallboardCall, "name"> &
  Partial<Pick<CreateWallboardCall, "grid" | "zone" | "theme">> & { tiles?: TileInput[] };

export function createWallboard(wallboard: NewWallboard): Promise<WallboardInfo> {
  const { name, tiles, grid, zone, theme } = wallboard;
  const body = { name, tiles, grid, zone, theme, draft: true };
  return rest("POST /wallboards", { body });
}

/** A paired display with the size of its screen, as it last reported it. */
interface KnownScreen {
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

/** The calls for one wallboard's draft. */
export function wallboardApi(id: string): WallboardApi {
  const params = { id };
  return {
    read: () => rest("GET /wallboards/{id}", { params }),
    patch: (body) => rest("PATCH /wallboards/{id}", { params, body }),
    publish: (version) => rest("POST /wallboards/{id}/publish", { params, body: { version } }),
  };
}

/** Opens a wallboard's draft: `draftAtom(id)` shows it, others' edits included, until `leave`. */
export function openDraft(id: string) {
  const draft = pageCore().drafts.open(id);
  const leave = onUpdate(["wallboard"], (update) => {
    if (!update) void draft.refresh();
    else if (update.wallboard === id) void draft.refresh(update.removed ? undefined : update);
  });
  return { draft, leave };
}

/** Follows the values of a wallboard until the returned function is called; `wallboardAtom` shows them. */
export function followWallboard(wallboard: string, draft: boolean): () => void {
  return pageCore().wallboards.open(wallboard, draft);
}
