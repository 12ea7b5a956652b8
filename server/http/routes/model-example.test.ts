import { expect, it } from "vitest";
import type { Model } from "../../../shared/model/model.ts";
import type { ApiClient } from "../testing/api-client.ts";
import { serveTests } from "../testing/test-server.ts";

const API = "/api/v1";
const { owner, member } = await serveTests("empty");

it("publishes an example with its records where there is no table yet, and never beside others", async () => {
  const use = async (client: ApiClient, example = "orders-stock") => {
    const { status, body } = await client.call("POST", `${API}/model/example`, { example });
    return { status, code: body.code };
  };
  const versions = async () => (await owner.call("GET", `${API}/model`)).body.version as number;
  expect(await use(await member("editor"))).toEqual({ status: 403, code: "forbidden" });
  const before = await versions();
  expect(await use(owner)).toEqual({ status: 200, code: undefined });
  expect(await versions()).toBe(before + 1);
  const records = await owner.call("GET", `${API}/tables/orders/records?limit=1`);
  expect(records.body.total).toBeGreaterThan(50);
  const log = await owner.call("GET", `${API}/changes?table=orders&limit=1`);
  const [change] = log.body.items as { kind: string; by: object }[];
  expect(change).toMatchObject({ kind: "insert", by: { kind: "system", id: "template" } });
  // The tables are used like any others.
  const customer = { values: { name: "A customer" } };
  const made = await owner.call("POST", `${API}/tables/customers/records`, customer);
  expect(made.status).toBe(201);
  const conflict = { status: 409, code: "model_conflict" };
  expect(await use(owner)).toEqual(conflict);
  expect(await use(owner, "service-desk")).toEqual(conflict);
  const { tables } = (await owner.call("GET", `${API}/model/versions/current`)).body
    .document as Model;
  expect(tables.map(({ name }) => name)).toContain("orders");
  expect(tables.map(({ name }) => name)).not.toContain("incidents");
});
