import { expect, it } from "vitest";
import type { Table } from "../../../../shared/model/model.ts";
import type { Move } from "../../../../shared/policy/possible-transitions.ts";
import { type Dragged, dropOn } from "./drop-on.ts";

const table = { stateField: "state" } as Table;
const move = (name: string, to: string, why: string | null = null): Move => ({
  transition: { name, label: name, from: ["a"], to },
  obstacle: why === null ? null : { why: "guard", message: why },
  missing: [],
});
const dragged: Dragged = {
  view: { id: "1", values: { state: "a" } } as unknown as Dragged["view"],
  moves: [move("go", "b"), move("also", "b", "Not yet."), move("end", "c", "Too early.")],
};

it("runs the moves that lead to the column", () => {
  expect(dropOn(dragged, "b", table)).toMatchObject({ kind: "run", moves: [{}, {}] });
});

it("leaves the card where it is on its own column", () => {
  expect(dropOn(dragged, "a", table)).toEqual({ kind: "stay" });
});

it("says why a column does not take the card", () => {
  expect(dropOn(dragged, "c", table)).toEqual({ kind: "refused", why: "Too early." });
  const none = { kind: "refused", why: "No move leads from a to d." };
  expect(dropOn(dragged, "d", table)).toEqual(none);
});
