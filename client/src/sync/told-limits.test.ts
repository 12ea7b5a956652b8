import { describe, expect, it } from "vitest";
import { A_WHILE_MS, fakeDesk } from "./testing/fake-desk.ts";

const RECORDS = 150;

/** A client of a server with small limits, which has opened a table. */
async function opened() {
  const desk = fakeDesk();
  desk.server.limits = { PAGE_MAX_RECORDS: 20, MUTATION_MAX_OPS: 3 };
  desk.seed(RECORDS);
  const client = desk.client();
  const session = client.core.openTable("incidents");
  const window = session.openWindow({ filter: null, sort: ["rank"], search: "" });
  client.core.start();
  await desk.clock.advance(A_WHILE_MS);
  return { ...desk, client, session, window };
}

describe("C35 the limits that a server tells with the session", () => {
  it("bound the pages of a view and of single records", async () => {
    const { window, session, clock } = await opened();
    const asked = window.getRows(0, 60);
    await clock.advance(A_WHILE_MS);
    const { rows } = await asked;
    expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: 60 }, (_, n) => `i${n}`));
    const wanted = Array.from({ length: 50 }, (_, n) => `i${RECORDS - 1 - n}`);
    const held = Promise.all(wanted.map((id) => session.hold(id)));
    await clock.advance(A_WHILE_MS);
    expect((await held).map((view) => view?.id)).toEqual(wanted);
  });

  it("bound the ops of a mutation", async () => {
    const { client, clock, server } = await opened();
    const edits = Array.from({ length: 7 }, (_, n) => ({
      record: `i${n}`,
      set: { title: "New" },
      base: { title: `Title ${n}` },
    }));
    client.core.edits.editMany("incidents", edits);
    await clock.advance(A_WHILE_MS);
    expect([...server.runs.values()]).toEqual([1, 1, 1]);
  });
});
