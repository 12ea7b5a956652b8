import { expect, it } from "vitest";
import { guardedModel } from "../../model/testing/guarded-model.ts";
import { serveTests } from "../testing/test-server.ts";

const INCIDENTS = "/api/v1/tables/incidents";

const { owner } = await serveTests("service-desk", {}, {}, undefined, guardedModel);

async function imported(csv: string): Promise<Record<string, unknown>> {
  const path = `${INCIDENTS}/imports?${new URLSearchParams({ key: "number", null: "?" })}`;
  return (await owner.call("POST", path, csv, { "content-type": "text/csv" })).body;
}

async function byNumber(number: string): Promise<{ id: string; values: Record<string, unknown> }> {
  const filter = JSON.stringify({ field: "number", op: "eq", value: number });
  const path = `${INCIDENTS}/records?${new URLSearchParams({ filter })}`;
  const { records } = (await owner.call("GET", path)).body as {
    records: { id: string; values: Record<string, unknown> }[];
  };
  if (!records[0]) throw new Error(`There is no ${number}.`);
  return records[0];
}

it("changes the state of a record by its transitions", async () => {
  const csv = "number,state,notes\nA,New,\nA,Active,a\nA,Resolved,?\nA,Closed,b\nA,Closed,b\n";
  expect(await imported(csv)).toMatchObject({ created: 1, updated: 3, unchanged: 1, failed: 0 });
  const { id, values } = await byNumber("A");
  expect(values).toMatchObject({ state: "Closed", notes: "b" });
  const { items } = (await owner.call("GET", `${INCIDENTS}/records/${id}/history`)).body as {
    items: { transition?: string }[];
  };
  const names = items.map(({ transition }) => transition);
  expect(names).toEqual(["close", "resolve", "activate", undefined]);
});

it("uses the times of a file, and gives a reason if a transition requires one", async () => {
  const at = "2020-01-02T03:04:05+00:00";
  const csv = `number,state,resolved_at\nB,New,\nB,Resolved,${at}\nB,Active,${at}\n`;
  expect(await imported(csv)).toMatchObject({ created: 1, updated: 2, failed: 0 });
  expect((await byNumber("B")).values).toMatchObject({ state: "Active", resolved_at: at });
});

it("refuses a state that no transition leads to, and continues", async () => {
  const report = await imported("number,state,notes\nC,Closed,\nC,Active,a\n");
  expect(report).toMatchObject({ created: 1, updated: 0, failed: 1 });
  expect(report.errors).toMatchObject([{ line: 3, code: "transition_required" }]);
});
