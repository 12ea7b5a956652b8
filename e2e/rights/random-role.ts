import type { Filter } from "../../shared/filter/filter.ts";
import type { Grant } from "../../shared/policy/role.ts";
import type { SeededRandom } from "../convergence/seeded-random.ts";
import { namedField } from "./canary-names.ts";

export const groups = ["North", "South", "East"];
export const impacts = ["1 - High", "2 - Medium", "3 - Low"];
/** The fields that hold canaries. */
export const canaryFields = ["title", "location", "notes", "subcategory"];

const filters: readonly Filter[] = [
  { field: "group", op: "eq", value: "$me.group" },
  { field: "impact", op: "in", value: ["1 - High", "2 - Medium"] },
  { not: { field: "impact", op: "eq", value: "1 - High" } },
  {
    or: [
      { field: "group", op: "eq", value: "$me.group" },
      { field: "reassignments", op: "gt", value: 2 },
    ],
  },
  {
    and: [
      { field: "group", op: "ne", value: "East" },
      { field: "reassignments", op: "lt", value: 4 },
    ],
  },
  { field: "notes", op: "isEmpty", value: false },
];

/** A random grant on incidents: some rows, some fields, sometimes none at all. */
export function randomGrants(random: SeededRandom): Record<string, Grant> {
  const may = (chance: number) => random.next() < chance;
  const people: Record<string, Grant> = may(0.7) ? { people: { read: readCallers(random) } } : {};
  if (may(0.08)) return { groups: { read: true }, ...people };
  const hide = [...canaryFields, namedField.name, "group", "impact", "caller"].filter(() =>
    may(0.3),
  );
  const read = { ...(may(0.75) && { filter: random.pick(filters) }), hide };
  const update = may(0.3) ? { filter: random.pick(filters) } : may(0.85);
  const incidents = { read, update, history: may(0.8), create: may(0.5), delete: may(0.4) };
  return { incidents, groups: { read: true }, ...people };
}

/** The callers, whose names label the incidents: all, some, or without their names. */
function readCallers(random: SeededRandom): NonNullable<Grant["read"]> {
  const filter: Filter = { field: "location", op: "in", value: groups.slice(1) };
  return {
    ...(random.next() < 0.6 && { filter }),
    hide: ["name", "email"].filter(() => random.next() < 0.4),
  };
}
