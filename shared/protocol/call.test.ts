import { describe, expect, it } from "vitest";
import { requestOf } from "./call.ts";
import { contract } from "./contract.ts";

/** The query as a server parses it. */
function queryOf(path: string): Record<string, string> {
  const pairs = (path.split("?")[1] ?? "").split("&").map((pair) => pair.split("="));
  return Object.fromEntries(
    pairs.map(([name = "", text = ""]) => [name, decodeURIComponent(text)]),
  );
}

describe("requestOf", () => {
  it("fills in the path, escaped", () => {
    const params = { table: "a/b", id: "50 %", name: "go" };
    const name = "POST /tables/{table}/records/{id}/transitions/{name}";
    expect(requestOf(name, { params })).toEqual({
      method: "POST",
      path: "/tables/a%2Fb/records/50%20%25/transitions/go",
    });
  });

  it("leaves out what is undefined", () => {
    expect(requestOf("GET /views", { query: { table: undefined } }).path).toBe("/views");
  });

  it("writes a query as its schema reads it", () => {
    const page = {
      filter: { and: [{ field: "title", op: "eq" as const, value: "a&b=c" }] },
      sort: ["-opened_at", "title"],
      search: "é +",
      limit: 0,
      offset: 20,
      fields: [],
      zone: "Europe/Berlin",
    };
    const { query } = contract["GET /tables/{table}/records"];
    const { path } = requestOf("GET /tables/{table}/records", { query: page });
    expect(query.parse(queryOf(path))).toEqual(page);
    const format = { header: false, zone: "UTC", delimiter: ";" };
    const options = { map: { Name: "name" }, dryRun: true, ...format };
    const read = contract["POST /tables/{table}/imports"].query;
    const sent = requestOf("POST /tables/{table}/imports", { query: options }).path;
    expect(read.parse(queryOf(sent))).toEqual(options);
  });
});
