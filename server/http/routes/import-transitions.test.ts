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

/** Imports one row after the other, each as a file. */
async function importedOneByOne(header: string, rows: readonly string[]): Promise<void> {
  for (const [place, row] of rows.entries()) {
    const made = place === 0 ? "created" : "updated";
    expect(await imported(`${header}\n${row}\n`)).toMatchObject({ [made]: 1, failed: 0 });
  }
}

it("changes the state of a record by its transitions", async () => {
  await importedOneByOne("number,state,notes", [
    "A,New,",
    "A,Active,a",
    "A,Resolved,?",
    "A,Closed,b",
  ]);
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
  const rows = ["B,New,", `B,Resolved,${at}`, `B,Active,${at}`];
  await importedOneByOne("number,state,resolved_at", rows);
  expect((await byNumber("B")).values).toMatchObject({ state: "Active", resolved_at: at });
});

it("refuses a state that no transition leads to, before anything is applied", async () => {
  await imported("number,state\nC,Closed\n");
  const report = await imported("number,state,notes\nC,Active,a\nD,New,b\n");
  expect(report).toMatchObject({ created: 1, updated: 0, failed: 1 });
  expect(report.errors).toMatchObject([{ line: 2, code: "transition_required" }]);
});
