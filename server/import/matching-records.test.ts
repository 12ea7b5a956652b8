import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import { boss, buildScopedDesk, type ScopedDesk, table } from "../commands/testing/scoped-desk.ts";
import { matchingRecords } from "./matching-records.ts";

describe.each(databases)("records that a file names, on $name", (kind) => {
  let desk: ScopedDesk;
  beforeAll(async () => {
    desk = await buildScopedDesk(kind);
    for (let n = 0; n < 30; n += 1) await desk.createIncident();
  });
  afterAll(() => desk[Symbol.asyncDispose]());

  it("are read until a second one shows that the value is not unique", async () => {
    await desk.overwrite("f3", { title: "alone" });
    let pages = 0;
    const readPage: typeof desk.commands.readPage = (identity, call) => {
      pages += 1;
      return desk.commands.readPage(identity, call);
    };
    const found = await matchingRecords({ readPage }, boss, {
      ...{ table, field: "title", fields: ["title"], limit: 5 },
      values: ["first", "alone", "of Red", "of nobody"],
      textOf: ({ values }) => String(values.title),
    });
    const ids = (text: string) => (found.get(text) ?? []).map(({ id }) => id);
    expect(ids("first")).toHaveLength(2);
    expect([ids("alone"), ids("of Red"), ids("of nobody")]).toEqual([["f3"], ["Red"], []]);
    expect(pages).toBeLessThanOrEqual(3);
  });

  it("are found by texts that are spelt like variables of a filter", async () => {
    await desk.overwrite("f4", { title: "$me" });
    await desk.overwrite("f5", { title: "beside" });
    const found = await matchingRecords(desk.commands, boss, {
      ...{ table, field: "title", fields: ["title"], limit: 5 },
      values: ["$me", "$me.group", "$now", "$today", "beside"],
      textOf: ({ values }) => String(values.title),
    });
    expect([...found].map(([text, records]) => [text, records.map(({ id }) => id)])).toEqual(
      expect.arrayContaining([
        ["$me", ["f4"]],
        ["beside", ["f5"]],
      ]),
    );
    expect(found.size).toBe(2);
  });
});
