import { serviceDeskBoards } from "../model/templates/service-desk-board.ts";
import type { DemoPerson } from "./person.ts";

/** The template's board, also in a demo that began before there was one; answers its id. */
export async function findBoard(by: DemoPerson): Promise<string> {
  const document = serviceDeskBoards[0]?.document;
  const { items } = await by.call<{ items: { id: string; name: string }[] }>("GET", "/wallboards");
  const known = items.find(({ name }) => name === document?.name);
  const board = known ?? (await by.call<{ id: string }>("POST", "/wallboards", document));
  return board.id;
}
