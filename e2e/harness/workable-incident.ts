import { serviceDeskSeed } from "../../server/model/templates/service-desk-seed.ts";

/** The template's incidents that are not closed: a closed one can't be edited any more. */
const workable = serviceDeskSeed(new Date()).flatMap(({ table, id, values }) =>
  table === "incidents" && values.state !== "Closed" ? [id] : [],
);

/** The id of the n-th of them, counted from 0; there are 190. */
export function workableIncident(n: number): string {
  const id = workable[n];
  if (id === undefined) throw new RangeError(`There are only ${workable.length} open incidents.`);
  return id;
}
