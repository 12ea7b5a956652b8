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
