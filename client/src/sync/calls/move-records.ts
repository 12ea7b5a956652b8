import type { Move, ViewInfo } from "../../../../shared/protocol/views.ts";
import { showMoved } from "../../state/views-state.ts";
import { rest } from "../../transport/rest/rest.ts";

/** A call takes so many moves. */
const MOVES_TOGETHER = 200;

/** Moves records in the order by hand of a view, one move after the other, and shows the view as the server has it then. */
export async function moveRecords(view: string, moves: readonly Move[]): Promise<ViewInfo | null> {
  let moved: ViewInfo | null = null;
  for (let at = 0; at < moves.length; at += MOVES_TOGETHER) {
    const body = { moves: moves.slice(at, at + MOVES_TOGETHER) };
    moved = await rest("POST /views/{id}/order", { params: { id: view }, body });
  }
  if (moved) showMoved(moved);
  return moved;
}
