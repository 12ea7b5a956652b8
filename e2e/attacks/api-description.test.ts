import { expect, it } from "vitest";
import { serveTests } from "../../server/http/testing/test-server.ts";
import type { Model } from "../../shared/model/model.ts";
import { endlessWindow } from "../harness/test-config.ts";

const { server, owner, member } = await serveTests("service-desk", {
  WATCHFLOOR_REQUESTS_PER_ADDRESS: "200",
  ...endlessWindow,
});

const read = async (token?: string | null) => {
  const answer = await fetch(`${server.origin}/api/v1/openapi.json`, {
    headers: token ? { authorization: `Bearer ${token}` } : {},
  });
  return answer.text();
};

it("names to each role its own tables, by the published model", async () => {
  const reader = await member("viewer");
  expect(await read()).not.toContain("/api/v1/tables/incidents/");
  expect(await read(reader.token())).toContain("/api/v1/tables/incidents/");
  const nobody = await member("display");
  expect(await read(nobody.token())).not.toContain("/api/v1/tables/incidents/");

  const { body: model } = await owner.call("GET", "/api/v1/model");
  const { tables, ...rest } = model as unknown as Model;
  const [incidents, ...more] = tables;
  const changed = { ...rest, tables: [{ ...incidents, label: "Faults" }, ...more] };
  expect((await owner.call("PUT", "/api/v1/model", changed)).status).toBe(200);
  expect(await read(reader.token())).toContain("Faults");
});

it.each(["/api/docs", "/api/v1/model.schema.json", "/api/docs/try-it.js"])(
  "%s is refused to an address that asks too often",
  async (path) => {
    const statuses = new Set<number>();
    for (let n = 0; n < 210; n += 1) {
      const answer = await fetch(server.origin + path);
      await answer.arrayBuffer();
      statuses.add(answer.status);
      if (answer.status === 429) break;
    }
    expect(statuses).toContain(429);
  },
);
