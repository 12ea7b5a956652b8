import { expect, it } from "vitest";
import { guardedModel } from "../../model/testing/guarded-model.ts";
import { serveTests } from "../testing/test-server.ts";

const INCIDENTS = "/api/v1/tables/incidents/records";

const { owner } = await serveTests("service-desk", {}, {}, undefined, guardedModel);

async function newRecord(): Promise<string> {
  const { body } = await owner.call("POST", INCIDENTS, { values: { title: "x" } });
  return `${INCIDENTS}/${body.id}`;
}

it("runs a transition and answers the record", async () => {
  const at = await newRecord();
  const { status, body } = await owner.call("POST", `${at}/transitions/activate`, { from: "New" });
  expect(status).toBe(200);
  expect(body.values).toMatchObject({ state: "Active" });
  const history = await owner.call("GET", `${at}/history`);
  expect(history.body.items).toMatchObject([{ transition: "activate" }, {}]);
});

it.each([
  ["one that is not possible", "close", { from: "New" }, 422, "transition_not_allowed"],
  ["one that is incomplete", "finish", { from: "New" }, 422, "transition_incomplete"],
  ["one for another role", "archive", { from: "New" }, 403, "forbidden"],
  ["one from a former state", "activate", { from: "Active" }, 409, "conflict"],
  ["a body without the state that its author saw", "activate", {}, 400, "invalid_request"],
])("refuses %s with a problem of the catalogue", async (_, name, call, status, code) => {
  const at = await newRecord();
  const { body } = await owner.call("POST", `${at}/transitions/${name}`, call);
  expect(body).toMatchObject({ status, code });
});

it("refuses a plain write to the state, by PATCH and by POST /mutations", async () => {
  const at = await newRecord();
  const [set, base] = [{ state: "Active" }, { state: "New" }];
  const patched = await owner.call("PATCH", at, { set, base });
  const refusal = { code: "transition_required", possible: expect.arrayContaining(["activate"]) };
  expect(patched.body).toMatchObject({ status: 422, ...refusal });
  const forced = await owner.call("PATCH", `${at}?overwrite=true`, { set });
  expect(forced.body).toMatchObject(refusal);
  const record = decodeURIComponent(at.split("/").at(-1) ?? "");
  const ops = [{ op: "update", table: "incidents", record, set, base }];
  const { body } = await owner.call("POST", "/api/v1/mutations", { id: record, ops });
  expect(body.results).toMatchObject([{ ok: false, error: refusal }]);
});

it("refuses a write to a locked field, and names it", async () => {
  const at = await newRecord();
  await owner.call("POST", `${at}/transitions/activate`, { from: "New" });
  const { body } = await owner.call("PATCH", at, {
    set: { impact: "3 - Low" },
    base: { impact: null },
  });
  expect(body).toMatchObject({ status: 422, code: "field_locked", fields: ["impact"] });
});
