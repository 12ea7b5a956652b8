import { expect, it } from "vitest";
import { serveTests } from "../../server/http/testing/test-server.ts";
import { serviceDesk } from "../../server/model/templates/service-desk.ts";
import type { Model } from "../../shared/model/model.ts";

const fields = Array.from({ length: 40 }, (_, n) => ({
  ...{ name: `f${n}`, label: `Field ${n}`, type: "text" as const },
}));
const plain = Array.from({ length: 20 }, (_, n) => ({
  ...{ name: `t${n}`, label: `Table ${n}`, recordLabel: "row", display: "f0" },
  ...{ fields, columns: ["f0"], sort: ["f0"] },
}));
const large = { ...serviceDesk, tables: [...serviceDesk.tables, ...plain] };

const { server, owner, member } = await serveTests(
  "service-desk",
  { WATCHFLOOR_REQUESTS_PER_ADDRESS: "200", RATE_WINDOW_MS: "3600000" },
  {},
  undefined,
  large,
);

const read = async (token?: string | null) => {
  const started = process.cpuUsage();
  const answer = await fetch(`${server.origin}/api/v1/openapi.json`, {
    headers: token ? { authorization: `Bearer ${token}` } : {},
  });
  const text = await answer.text();
  const { user } = process.cpuUsage(started);
  return { text, ms: user / 1_000 };
};

it("is made once for each role and model, and names to each role its own tables", async () => {
  const reader = await member("viewer");
  expect((await read()).text).not.toContain("/api/v1/tables/incidents/");
  const first = await read(reader.token());
  expect(first.text).toContain("/api/v1/tables/incidents/");
  const others: number[] = [];
  for (let n = 0; n < 15; n += 1) {
    const { text, ms } = await read(reader.token());
    expect(text).toBe(first.text);
    others.push(ms);
  }
  expect(others.sort((a, b) => a - b)[7]).toBeLessThan(first.ms / 2);
  const nobody = await member("display");
  expect((await read(nobody.token())).text).not.toContain("/api/v1/tables/incidents/");

  const { body: model } = await owner.call("GET", "/api/v1/model");
  const { tables, ...rest } = model as unknown as Model;
  const [incidents, ...more] = tables;
  const changed = { ...rest, tables: [{ ...incidents, label: "Faults" }, ...more] };
  expect((await owner.call("PUT", "/api/v1/model", changed)).status).toBe(200);
  expect((await read(reader.token())).text).toContain("Faults");
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
