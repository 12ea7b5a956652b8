import { expect, it } from "vitest";
import { tableAtom } from "../../state/table-state.ts";
import { fakeSystem } from "../testing/fake-system.ts";

it("goes on with a table that is opened again within two seconds, and leaves one that nobody shows", async () => {
  const { change, client: open, clock, seed } = fakeSystem();
  seed(1);
  const client = open();
  client.core.start();
  const session = () => client.core.openTable("incidents");
  const left = () => client.line.calls.filter(({ name }) => name === "unsubscribe").length;
  const title = () => client.store.get(tableAtom("incidents")).get("i0")?.values.title;
  session().close();
  const shown = session();
  await clock.advance(10_000);
  void shown.hold("i0");
  await clock.advance(100);
  change("i0", { title: "Changed" });
  await clock.advance(100);
  expect([shown.phase, title(), left()]).toEqual(["live", "Changed", 0]);
  shown.close();
  await clock.advance(10_000);
  expect([client.store.get(tableAtom("incidents")).phase, title(), left()]).toEqual([
    ...["closed", undefined, 1],
  ]);
});

it("C19 sends edits once a table that never caught up is left", async () => {
  const { client: open, clock, seed, server } = fakeSystem();
  seed(1);
  const client = open();
  const unread = { code: "unavailable" as const, message: "" };
  server.failure = (name) => (name === "subscribe" ? unread : null);
  const session = client.core.openTable("incidents");
  client.core.start();
  const set = { title: "Mine" };
  client.core.edits.edit("incidents", { record: "i0", set, base: { title: "Title 0" } });
  await clock.advance(1_000);
  const title = () => server.incidents.records.get("i0")?.values.title;
  expect(title()).toBe("Title 0");
  session.close();
  await clock.advance(2_500);
  expect(title()).toBe("Mine");
});
