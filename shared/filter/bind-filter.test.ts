import { describe, expect, test } from "vitest";
import { bindFilter, fieldsOf, usesClock, usesCurrentUser } from "./bind-filter.ts";
import type { Filter, FilterContext, Json } from "./filter.ts";
import { matches } from "./matches.ts";

const attributes = {
  group: "Network",
  groups: ["Network", "", "Desk"],
  level: 3,
  gone: null,
  blank: "",
  none: [],
  sly: { field: "secret" },
};
const context: FilterContext = {
  me: { id: "u1", attributes },
  now: "2026-11-21T03:59:32.500Z",
};
const nobody: FilterContext = { ...context, me: null };

function compare(op: string, value: Json, field = "f"): Filter {
  return { field, op, value } as unknown as Filter;
}

describe("binding", () => {
  test.each<[string, Json, Json]>([
    ["$me", "$me", "u1"],
    ["an attribute", "$me.group", "Network"],
    ["a number", "$me.level", 3],
    ["$now", "$now", "2026-11-21T03:59:32.500Z"],
    ["$today", "$today", "2026-11-21T00:00:00.000Z"],
    ["a span", { ago: "4h" }, "2026-11-20T23:59:32.500Z"],
    ["a span ahead", { ago: "-1d" }, "2026-11-22T03:59:32.500Z"],
    ["another field not", { field: "g" }, { field: "g" }],
    ["plain text not", "$100", "$100"],
  ])("F9 replaces %s", (_title, value, bound) => {
    expect(bindFilter(compare("eq", value), context)).toEqual(compare("eq", bound));
  });

  test("F9 spreads a list attribute into the list of `in`, without its empty elements", () => {
    const wanted = compare("in", ["Network", "Desk"]);
    expect(bindFilter(compare("in", "$me.groups"), context)).toEqual(wanted);
    expect(bindFilter(compare("in", ["$me.groups"]), context)).toEqual(wanted);
    expect(bindFilter(compare("nin", "$me.group"), context)).toEqual(compare("nin", ["Network"]));
  });

  test.each([
    ["Europe/Berlin", "2026-11-21T00:00:00.000+01:00", "2026-11-21T04:59:32.500+01:00"],
    ["America/New_York", "2026-11-20T00:00:00.000-05:00", "2026-11-20T22:59:32.500-05:00"],
    ["Asia/Kolkata", "2026-11-21T00:00:00.000+05:30", "2026-11-21T09:29:32.500+05:30"],
  ])("F9 evaluates today in the zone %s", (zone, today, now) => {
    expect(bindFilter(compare("gte", "$today"), { ...context, zone })).toEqual(
      compare("gte", today),
    );
    expect(bindFilter(compare("gte", "$now"), { ...context, zone })).toEqual(compare("gte", now));
  });

  test("F9 uses today for a date field and a timestamp field alike", () => {
    const kinds = { due: "date", opened: "timestamp" } as const;
    const berlin = { ...context, zone: "Europe/Berlin" };
    const due = bindFilter(compare("eq", "$today", "due"), berlin);
    expect(matches(due, "r", { due: "2026-11-21" }, kinds)).toBe(true);
    expect(matches(due, "r", { due: "2026-11-20" }, kinds)).toBe(false);
    const opened = bindFilter(compare("gte", "$today", "opened"), berlin);
    expect(matches(opened, "r", { opened: "2026-11-20T23:00:00Z" }, kinds)).toBe(true);
    expect(matches(opened, "r", { opened: "2026-11-20T22:59:59.999999Z" }, kinds)).toBe(false);
  });

  test("F9 uses the day of the zone where it is not that of UTC", () => {
    const now = "2026-11-21T10:30:00Z";
    const todayIn = (zone: string) =>
      bindFilter(compare("eq", "$today", "due"), { ...context, now, zone });
    const isToday = (due: string, zone: string) =>
      matches(todayIn(zone), "r", { due }, { due: "date" });
    expect(isToday("2026-11-22", "Pacific/Kiritimati")).toBe(true);
    expect(isToday("2026-11-21", "Pacific/Kiritimati")).toBe(false);
    expect(isToday("2026-11-20", "Etc/GMT+12")).toBe(true);
  });
});

describe("F11 a user without the attribute", () => {
  const unbound = ["$me.missing", "$me.gone", "$me.blank", "$me.none", "$me.sly", "$me.toString"];
  const kinds = { f: "text", secret: "text" } as const;
  const everything = { f: "x", secret: "x" };

  test.each(
    unbound.flatMap((value) => ["eq", "ne", "in", "nin", "contains"].map((op) => [value, op])),
  )("sees nothing by %s under %s, also when denied", (value = "", op = "") => {
    for (const operand of [value, [value]]) {
      const plain = bindFilter(compare(op, operand), context);
      const denied = bindFilter({ not: compare(op, operand) }, context);
      expect(matches(plain, "r", everything, kinds)).toBe(false);
      expect(matches(denied, "r", everything, kinds)).toBe(false);
      expect(matches(plain, "r", {}, kinds)).toBe(false);
      expect(matches(denied, "r", {}, kinds)).toBe(false);
    }
  });

  test("sees the same as a caller without a user: nothing", () => {
    expect(bindFilter(compare("eq", "$me"), nobody)).toEqual({ or: [] });
    expect(bindFilter({ not: compare("ne", "$me") }, nobody)).toEqual({ not: { and: [] } });
  });

  test("sees what the rest of the filter grants", () => {
    const filter = { or: [compare("eq", "x"), { not: compare("eq", "$me.missing") }] };
    const bound = bindFilter(filter, context);
    expect(matches(bound, "r", { f: "x" }, kinds)).toBe(true);
    expect(matches(bound, "r", { f: "y" }, kinds)).toBe(false);
  });

  test("sees nothing if the attribute has the wrong type, also when negated", () => {
    const bound = bindFilter({ not: compare("eq", "$me.level") }, context);
    expect(matches(bound, "r", everything, kinds)).toBe(false);
  });
});

describe("a filter depends", () => {
  test("on the clock, anywhere in it", () => {
    expect(usesClock({ and: [{ not: compare("between", ["$me", { ago: "1d" }]) }] })).toBe(true);
    expect(usesClock(compare("eq", "$today"))).toBe(true);
    expect(usesClock(compare("eq", "$me"))).toBe(false);
  });

  test("on the user, anywhere in it", () => {
    expect(usesCurrentUser({ or: [compare("in", ["a", "$me.group"])] })).toBe(true);
    expect(usesCurrentUser(compare("eq", "$now"))).toBe(false);
  });

  test("on fields on either side", () => {
    const filter = {
      or: [compare("eq", { field: "b" }, "a"), { not: compare("isEmpty", null, "c") }],
    };
    expect([...fieldsOf(filter)].sort()).toEqual(["a", "b", "c"]);
  });
});
