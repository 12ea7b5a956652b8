import { describe, expect, it } from "vitest";
import { fakeSystem, IDLE_MS } from "./testing/fake-system.ts";

const RECORDS = 150;

/** A client of a server with small limits, which has opened a table. */
async function opened() {
  const system = fakeSystem();
  system.server.limits = { PAGE_MAX_RECORDS: 20, MUTATION_MAX_OPS: 3 };
  system.seed(RECORDS);
  const client = system.client();
  const session = client.core.openTable("incidents");
  const rowList = session.openRowList({ filter: null, sort: ["rank"], search: "" });
  client.core.start();
  await system.clock.advance(IDLE_MS);
  return { ...system, client, session, rowList };
}

describe("C35 the limits that a server sends with the session", () => {
  it("bound the pages of a view and of single records", async () => {
    const { rowList, session, clock } = await opened();
    const pendingRows = rowList.getRows(0, 60);
    await clock.advance(IDLE_MS);
    const { rows } = await pendingRows;
    expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: 60 }, (_, n) => `i${n}`));
    const ids = Array.from({ length: 50 }, (_, n) => `i${RECORDS - 1 - n}`);
    const pending = Promise.all(ids.map((id) => session.hold(id)));
    await clock.advance(IDLE_MS);
    expect((await pending).map((view) => view?.id)).toEqual(ids);
  });

  it("bound the ops of a mutation", async () => {
    const { client, clock, server } = await opened();
    const edits = Array.from({ length: 7 }, (_, n) => ({
      record: `i${n}`,
      set: { title: "New" },
      base: { title: `Title ${n}` },
    }));
    client.core.edits.editMany("incidents", edits);
    await clock.advance(IDLE_MS);
    expect([...server.runs.values()]).toEqual([1, 1, 1]);
  });
});
