import { expect, it, onTestFinished } from "vitest";
import { store } from "../../../state/store.ts";
import { presenceAtom } from "../../../state/table-state.ts";
import { PresenceMap } from "./presence-map.ts";

const TABLE = "presence-map";

const at = (...records: (string | undefined)[]) =>
  store.set(
    presenceAtom(TABLE),
    records.map((record) => ({
      ...{ connection: "c", id: "ana", name: "Ana", colour: "teal", mode: "viewing" as const },
      ...(record !== undefined && { record }),
    })),
  );

it("names the records that somebody has come to or left, and keeps the colour of who has gone", () => {
  onTestFinished(() => at());
  at("r1");
  const map = new PresenceMap(TABLE);
  const named: string[][] = [];
  map.onChange((records) => named.push([...records].sort()));
  const here = () => ["r1", "r2"].map((record) => map.usersOn(record).length);
  expect(here()).toEqual([1, 0]);
  at("r2");
  expect(here()).toEqual([0, 1]);
  at(undefined);
  expect(here()).toEqual([0, 0]);
  at();
  expect([named, map.colourOf("ana")]).toEqual([[["r1", "r2"], ["r2"], []], "teal"]);
  map.stop();
  at("r1");
  expect(named).toHaveLength(3);
});
