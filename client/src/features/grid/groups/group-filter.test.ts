import { describe, expect, it } from "vitest";
import type { Filter, Json, ValueKind } from "../../../../../shared/filter/filter.ts";
import { compileFilter } from "../../../../../shared/filter/matches.ts";
import type { Field } from "../../../../../shared/model/model.ts";
import { groupKey, membersFilter, shownFilter } from "./group-filter.ts";

const sent: Field = { name: "at", label: "Sent", type: "timestamp" };
const size: Field = { name: "at", label: "Size", type: "text" };

/** The values of `at` that match. */
function matching(filter: Filter | null, kind: ValueKind, values: readonly Json[]): Json[] {
  const matches = filter ? compileFilter(filter, { at: kind }) : () => true;
  return values.filter((at) => matches("r", { at }));
}

const instants = [
  "2026-03-28T22:59:59Z",
  "2026-03-28T23:00:00Z",
  "2026-03-29T21:59:59.999999Z",
  "2026-03-29T22:00:00Z",
  "2026-04-01T05:00:00Z",
  null,
];

describe("groups of times", () => {
  it.each(["Europe/Berlin", "UTC", "Pacific/Kiritimati", "Etc/GMT+12", "America/Los_Angeles"])(
    "are hidden with exactly their records, in %s",
    (zone) => {
      for (const by of ["day", "month"] as const) {
        for (const value of instants) {
          const key = groupKey(sent, { field: "at", by }, value, zone);
          const hidden = { keys: [key], hidden: [key] };
          const filter = shownFilter(sent, { field: "at", by }, hidden, zone);
          const same = instants.filter(
            (one) => groupKey(sent, { field: "at", by }, one, zone) !== key,
          );
          expect(matching(filter, "timestamp", instants)).toEqual(same);
          const members = membersFilter(sent, { field: "at", by }, [key], zone);
          const others = instants.filter((one) => !same.includes(one));
          expect(matching(members, "timestamp", instants)).toEqual(others);
        }
      }
    },
  );

  it("are hidden as ranges of neighbours", () => {
    const grouping = { field: "at", by: "day" as const };
    const keyOf = (value: Json) => groupKey(sent, grouping, value, "Europe/Berlin");
    const keys = [...new Set(instants.map(keyOf))];
    expect(keys).toEqual(["2026-03-28", "2026-03-29", "2026-03-30", "2026-04-01", null]);
    const hide = (...hidden: Json[]) =>
      shownFilter(sent, grouping, { keys, hidden }, "Europe/Berlin");
    expect(matching(hide(...keys), "timestamp", instants)).toEqual([]);
    expect(hide(...keys)).toMatchObject({ and: [{ not: {} }, { op: "isEmpty" }] });
    expect(matching(hide("2026-03-29", null), "timestamp", instants)).toEqual([
      instants[0],
      instants[3],
      instants[4],
    ]);
    expect(hide()).toBeNull();
  });
});

it("hides exact texts, including empty ones and those spelt like variables", () => {
  const grouping = { field: "at" };
  const values = ["$me", "a", "A", "", null];
  const hidden = shownFilter(size, grouping, { keys: values, hidden: ["$me", null] }, "UTC");
  expect(matching(hidden, "text", values)).toEqual(["a", "A"]);
  const members = membersFilter(size, grouping, ["$me", null], "UTC");
  expect(matching(members, "text", values)).toEqual(["$me", "", null]);
});
