import type {
  ClaimDisplayCall,
  DisplayInfo,
  PatchDisplayCall,
} from "../../../../shared/protocol/displays.ts";
import { rest } from "../../transport/rest.ts";

interface List<T> {
  items: T[];
  total: number;
}

/** A board as far as it is chosen for a display. */
export interface BoardName {
  id: string;
  name: string;
}

/** The screens on the wall, by name. */
export async function listDisplays(): Promise<DisplayInfo[]> {
  return (await rest<List<DisplayInfo>>("GET", "/displays")).items;
}

/** The boards that a display can show, by name. */
export async function listBoardNames(): Promise<BoardName[]> {
  const { items } = await rest<List<BoardName>>("GET", "/wallboards");
  return items.map(({ id, name }) => ({ id, name }));
}

/** Takes up the screen that shows a code. */
export function claimDisplay(call: ClaimDisplayCall): Promise<DisplayInfo> {
  return rest<DisplayInfo>("POST", "/displays", call);
}

/** Lets the screen that shows a code take a display's place. */
export function pairDisplayAgain(id: string, code: string): Promise<DisplayInfo> {
  return rest<DisplayInfo>("POST", `${pathOf(id)}/pair`, { code });
}

/** Changes a display; what is absent stays. */
export function changeDisplay(id: string, change: PatchDisplayCall): Promise<DisplayInfo> {
  return rest<DisplayInfo>("PATCH", pathOf(id), change);
}

export function removeDisplay(id: string): Promise<void> {
  return rest<void>("DELETE", pathOf(id));
}

/** Asks something of a display. */
export function orderDisplay(id: string, order: "identify" | "reload" | "revoke") {
  return rest<DisplayInfo>("POST", `${pathOf(id)}/${order}`);
}

function pathOf(id: string): string {
  return `/displays/${encodeURIComponent(id)}`;
}
