import { expect, it } from "vitest";
import { contract } from "../../shared/protocol/contract.ts";
import type { Route } from "../../shared/protocol/route.ts";
import { parseCall } from "./parse.ts";
import { serveTests } from "./testing/test-server.ts";

const { owner } = await serveTests("service-desk");

it.each(Object.entries<Route>(contract))("%s refuses an unknown query parameter", (name, route) => {
  const names = [...name.matchAll(/\{(\w+)\}/g)].map(([, part = ""]) => part);
  const params = Object.fromEntries(
    names.map((part) => [part, part === "version" ? "current" : "x"]),
  );
  const call = { params, query: { dryrun: "1" }, body: {} };
  // Not the only issue of a route with a required parameter.
  const issue = expect.objectContaining({ message: expect.stringContaining("dryrun") });
  expect(() => parseCall(route, call)).toThrow(
    expect.objectContaining({
      code: "invalid_request",
      detail: { in: "query", issues: expect.arrayContaining([issue]) },
    }),
  );
});

it("does not publish a model if dryRun is misspelt", async () => {
  const { body: current } = await owner.call("GET", "/api/v1/model/versions/current");
  const model = { version: current.version, tables: [] };
  for (const query of ["dryrun=1", "dryRun=yes", "dryRun=1&dryRun=1", "dry_run=1&confirm=lossy"]) {
    const { status, body } = await owner.call("PUT", `/api/v1/model?${query}`, model);
    expect([status, body.code], query).toEqual([400, "invalid_request"]);
  }
  expect((await owner.call("GET", "/api/v1/model")).body.version).toBe(current.version);
});
