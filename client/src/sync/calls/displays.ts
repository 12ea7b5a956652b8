import type {
  ClaimDisplayCall,
  DisplayInfo,
  PatchDisplayCall,
} from "../../../../shared/protocol/displays.ts";
import { rest } from "../../transport/rest.ts";

/** A board as far as it is chosen for a display. */
export interface WallboardName {
  id: string;
  name: string;
}

/** The screens on the wall, by name. */
export async function listDisplays(): Promise<DisplayInfo[]> {
  return (await rest("GET /displays")).items;
}

/** The boards that a display can show, by name. */
export async function listWallboardNames(): Promise<WallboardName[]> {
  const { items } = await rest("GET /wallboards");
  return items.map(({ id, name }) => ({ id, name }));
}

/** Takes up the screen that shows a code. */
export function claimDisplay(body: ClaimDisplayCall): Promise<DisplayInfo> {
  return rest("POST /displays", { body });
}

/** Lets the screen that shows a code take a display's place. */
export function pairDisplayAgain(id: string, code: string): Promise<DisplayInfo> {
  return rest("POST /displays/{id}/pair", { params: { id }, body: { code } });
}

/** Changes a display; what is absent stays. */
export function changeDisplay(id: string, body: PatchDisplayCall): Promise<DisplayInfo> {
  return rest("PATCH /displays/{id}", { params: { id }, body });
}

export function removeDisplay(id: string): Promise<void> {
  return rest("DELETE /displays/{id}", { params: { id } });
}

/** Asks something of a display. */
export function orderDisplay(id: string, order: "identify" | "reload" | "revoke") {
  return rest(`POST /displays/{id}/${order}`, { params: { id } });
}
