import type { Watchfloor } from "../../client/package/index.ts";
import { serviceDeskWallboards } from "../model/templates/service-desk-wallboard.ts";

/** The template's wallboard, also in a demo from before there was one; returns its id. */
export async function findWallboard(by: Watchfloor): Promise<string> {
  const [template] = serviceDeskWallboards;
  if (!template) throw new Error("The service desk has no wallboard.");
  const body = template.document;
  const { items } = await by.rest("GET /wallboards");
  const known = items.find(({ name }) => name === body.name);
  const wallboard = known ?? (await by.rest("POST /wallboards", { body }));
  return wallboard.id;
}
