import { expect, it } from "vitest";
import type { Model } from "../../../../shared/model/model.ts";
import { transitionValues } from "../feed/table-follower.ts";
import { buildView } from "./build-view.ts";
import type { PendingOp } from "./pending-op.ts";

const model: Model = {
  version: 1,
  tables: [
    {
      name: "jobs",
      label: "Jobs",
      recordLabel: "job",
      display: "title",
      stateField: "state",
      fields: [],
      columns: [],
      sort: [],
      workflow: {
        states: [],
        transitions: [{ name: "go", label: "Go", from: ["a"], to: "b" }],
      },
    },
  ],
};
const op = { op: "transition", table: "jobs", record: "1", transition: "go", from: "a" } as const;
const ref = { mutation: "m", index: 0 };
const confirmed = { values: { state: "a", title: "x" }, version: "e.1", seq: 1 };
const shown = (state: PendingOp["state"]) =>
  buildView("1", confirmed as never, [{ ref, table: "jobs", record: "1", op, state }], (one) =>
    transitionValues(model, one),
  );

it("shows a waiting transition as done, and its cell as pending", () => {
  const view = shown({ kind: "waiting" });
  expect(view).toMatchObject({ values: { state: "b", title: "x" }, pending: "transition" });
  expect(view?.cells.state).toMatchObject({ kind: "pending" });
});

it("shows the old state again once the transition was refused", () => {
  const refusal = { code: "transition_not_allowed", message: "No.", detail: {} } as const;
  const view = shown({ kind: "refused", refusal: refusal as never });
  expect(view).toMatchObject({ values: { state: "a" }, problem: { message: "No." } });
});
