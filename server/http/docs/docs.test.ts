import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { contract } from "../../../shared/protocol/contract.ts";
import type { Route } from "../../../shared/protocol/route.ts";
import { apiClient } from "../testing/api-client.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const document = async () =>
  (await apiClient(server.origin).call("GET", "/api/v1/openapi.json")).body;

interface Operation {
  operationId: string;
  security: unknown[];
  parameters: { name: string; in: string; description: string; schema: { type?: string } }[];
}
const operations = (paths: unknown) =>
  Object.entries(paths as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

describe("the OpenAPI document", () => {
  it("describes every route under a name of its own, and every reference in it leads somewhere", async () => {
    const { openapi, paths, components } = await document();
    expect(openapi).toBe("3.1.0");
    const names = operations(paths).map(({ operation }) => operation.operationId);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(["postSession", "patchTablesRecordsOne"]));
    const schemas = (components as { schemas: object }).schemas;
    const text = JSON.stringify({ paths, components });
    const references = [...text.matchAll(/"\$ref":"([^"]*)"/g)].map(([, reference]) => reference);
    expect(references.length).toBeGreaterThan(names.length);
    const known = Object.keys(schemas).map((name) => `#/components/schemas/${name}`);
    const responses = Object.keys((components as { responses: object }).responses);
    expect([...known, ...responses.map((name) => `#/components/responses/${name}`)]).toEqual(
      expect.arrayContaining(references),
    );
  });

  it("describes every parameter, and numbers as numbers", async () => {
    for (const { path, method, operation } of operations((await document()).paths)) {
      for (const { name, description, schema } of operation.parameters) {
        expect(description, `${method} ${path} ${name}`).toBeTruthy();
        if (name === "limit" || name === "offset") expect(schema.type, path).toBe("integer");
      }
    }
  });

  it("has an example for the calls that most programs make, which the schema accepts", () => {
    const bodies = Object.values<Route>(contract).flatMap(({ body }) => (body ? [body] : []));
    const examples = bodies.flatMap((body) => {
      const found = (z.globalRegistry.get(body) as { examples?: unknown[] } | undefined)?.examples;
      return (found ?? []).map((example) => ({ body, example }));
    });
    expect(examples.length).toBeGreaterThan(5);
    for (const { body, example } of examples) body.parse(example);
  });

  it("calls any JSON `Json`, and names filters", async () => {
    const { schemas } = (await document()).components as { schemas: Record<string, unknown> };
    expect(Object.keys(schemas).filter((name) => name.includes("__"))).toEqual([]);
    expect(schemas.Json).toEqual({ description: "Any JSON value." });
    expect(JSON.stringify(schemas.Filter)).toContain("#/components/schemas/Filter");
  });

  it("names each part of a path as a parameter", async () => {
    for (const { path, operation } of operations((await document()).paths)) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const listed = operation.parameters.filter((p) => p.in === "path").map((p) => p.name);
      expect(listed.sort(), path).toEqual(named.sort());
    }
  });

  it("lists exactly the routes that need no sign-in", async () => {
    const outsider = apiClient(server.origin);
    for (const { path, method, operation } of operations((await document()).paths)) {
      const address = path.replace(/\{\w+\}/g, "none");
      const body = method === "get" || method === "delete" ? undefined : {};
      const { status } = await outsider.call(method.toUpperCase(), address, body);
      expect(status === 401, `${method} ${path}`).toBe(operation.security.length > 0);
    }
  });
});

describe("the page", () => {
  const page = async () => {
    const { headers, body } = await apiClient(server.origin).call("GET", "/api/docs");
    expect(headers.get("content-type")).toMatch(/^text\/html/);
    return String(body.text);
  };

  it("shows every operation with its parameters and a call, without script of its own", async () => {
    const html = await page();
    for (const { method, operation } of operations((await document()).paths)) {
      const { operationId, parameters } = operation;
      const [, entry = ""] = html.split(`<details id="${operationId}">`);
      const [own = ""] = entry.split("</details>");
      expect(own, operationId).toContain(`<b class="${method}">`);
      expect(own, operationId).toContain("curl ");
      for (const { name } of parameters) expect(own).toContain(`<li><code>${name}</code>`);
    }
    const scripts = html.match(/<script[^>]*>/g);
    expect(scripts).toEqual(['<script type="module" src="/api/docs/try-it.js">']);
    // It was 890 kB when it repeated every schema.
    expect(html.length).toBeLessThan(350_000);
  });

  it("has links that lead somewhere", async () => {
    const html = await page();
    const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const links = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links.filter((id) => !ids.has(id))).toEqual([]);
  });
});
