import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { beforeAll, describe, expect, it } from "vitest";
import { proofSize } from "../../e2e/provision/proof-size.ts";
import { runSeed } from "../../e2e/provision/test-seed.ts";
import { errorCatalogue } from "../../shared/protocol/errors.ts";
import type { ApiAnswer } from "./testing/api-client.ts";
import { randomRequests } from "./testing/random-requests.ts";
import { serveTests } from "./testing/test-server.ts";

const INCIDENTS = "/api/v1/tables/incidents/records";
const SEED = runSeed;
const AT_ONCE = 8;
const GROWTH_MAX_MB = 40;
/** Requests beyond the rate limit would not be parsed. */
const unhurried = {
  WATCHFLOOR_REQUESTS_PER_USER: "1000000",
  WATCHFLOOR_REQUESTS_PER_ADDRESS: "1000000",
};

const { server, owner } = await serveTests("service-desk", unhurried);
const known = {
  records: [] as string[],
  versions: [] as string[],
  routes: [] as [method: string, path: string][],
};
/** These would end the session of the test. */
const endings = new Set([
  "DELETE /session",
  "POST /session/end",
  "DELETE /me/sessions",
  "DELETE /me/sessions/{id}",
]);

beforeAll(async () => {
  known.routes.push(...(await allRoutes()));
  for (const record of ["a", "b", "c"]) {
    const { body } = await owner.call("POST", INCIDENTS, { record, values: { title: record } });
    known.records.push(String(body.id));
    known.versions.push(`"${body.version}"`);
  }
});

/** Every route of the API's description: a new route is tested automatically. */
async function allRoutes(): Promise<[string, string][]> {
  const { body } = await owner.call("GET", "/api/v1/openapi.json");
  const served = Object.entries(body.paths as Record<string, object>).flatMap(([path, of]) =>
    Object.keys(of).map((method): [string, string] => [
      method.toUpperCase(),
      path.replace("/api/v1", ""),
    ]),
  );
  return served.filter((one) => !endings.has(one.join(" ")));
}

/** Internal words: names of files, of the driver, of our own tables. */
const inside =
  /node_modules|\.ts:\d|\bat \w+ \(|watchfloor\.|pg_catalog|syntax error|SQLSTATE|duplicate key/;

function problemOf({ status, headers, body }: ApiAnswer): string | null {
  const text = JSON.stringify(body);
  if (inside.test(text)) return "shows the inside";
  if (status < 400) return null;
  if (!headers.get("content-type")?.startsWith("application/problem+json")) return "is no problem";
  const code = String(body.code);
  if (!Object.hasOwn(errorCatalogue, code)) return "is not in the catalogue";
  return status >= 500 ? "is a failure of ours" : null;
}

function heapMb(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed / 1_048_576;
}

/** Sends that many; returns those that were answered badly, a line each, so that a failure shows them. */
async function sendAll(count: number, seed: number): Promise<string> {
  const faults: string[] = [];
  const waiting = randomRequests(count, seed, known);
  const work = async () => {
    for (let one = waiting.pop(); one; one = waiting.pop()) {
      const { method, path, body, headers } = one;
      const fault = await owner
        .call(method, path, body, headers)
        .then(problemOf, ({ message, cause }: Error) => `is not answered: ${message}, ${cause}`);
      if (fault) faults.push(`${method} ${path} ${body} ${JSON.stringify(headers)}: ${fault}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return faults.join("\n");
}

describe("random requests", () => {
  it(`are each answered from the catalogue, and leave the server as it was (seed ${SEED})`, async () => {
    const count = proofSize(1_200, 10_000);
    expect(await sendAll(count / 4, SEED)).toBe("");
    const before = heapMb();
    expect(await sendAll((count * 3) / 4, SEED + 1)).toBe("");
    server.log.length = 0;
    expect(heapMb() - before).toBeLessThan(GROWTH_MAX_MB);
    expect((await owner.call("GET", "/healthz")).status).toBe(200);
    const { body } = await owner.call("GET", `${INCIDENTS}/${known.records[0]}`);
    expect(["200", "410"]).toContain(String(body.status ?? 200));
  });
});
