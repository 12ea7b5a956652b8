import type { Watchfloor } from "../../client/package/index.ts";
import { serviceDeskBoards } from "../model/templates/service-desk-board.ts";

/** The template's wallboard, also in a demo from before there was one; returns its id. */
export async function findBoard(by: Watchfloor): Promise<string> {
  const [template] = serviceDeskBoards;
  if (!template) throw new Error("The service desk has no wallboard.");
  const body = template.document;
  const { items } = await by.rest("GET /wallboards");
  const known = items.find(({ name }) => name === body.name);
  const board = known ?? (await by.rest("POST /wallboards", { body }));
  return board.id;
}
