import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { messageSchemas } from "../../client/src/transport/wire-schemas.ts";
import { callSchemas } from "./reference/socket-reference.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => readFileSync(`${root}/${path}`, "utf8");
const protocol = read("docs/PROTOCOL.md");

/** Rule numbers in the titles of what `npm test` runs: `it("M2 lets two users …")`. */
const titles = globSync("{client/src,e2e,server,shared}/**/*.test.{ts,tsx}", { cwd: root })
  .flatMap((path) => read(path).match(/(["`])[A-Z]\d+\b[^\n]*?\1/g) ?? [])
  .join("\n");
const held = new Set(titles.match(/\b[A-Z]\d+\b/g));

describe("the protocol's document", () => {
  it("has no rule without a test that carries its number", () => {
    const rules = [...protocol.matchAll(/^- \*\*([A-Z]\d+)\*\*/gm)].map(([, rule]) => rule);
    expect(rules.length).toBeGreaterThan(100);
    expect(rules.filter((rule) => !held.has(rule as string))).toEqual([]);
    expect(new Set(rules).size).toBe(rules.length);
  });

  it("names every message of the socket", () => {
    const messages = read("shared/protocol/socket.ts");
    const names = [...messages.matchAll(/^ {2}(\w+): (?:Call<|\()/gm)].map(([, name]) => name);
    expect(names).toEqual(expect.arrayContaining(["subscribe", "leaveTiles", "goodbye"]));
    const documented = new Set([...protocol.matchAll(/`(\w+)(?: \{|`)/g)].map(([, name]) => name));
    expect(names.filter((name) => !documented.has(name))).toEqual([]);
  });

  it.each([
    ["client → server", callSchemas],
    ["server → client", messageSchemas],
  ])("lists the properties of the messages %s", (heading, schemas) => {
    const [table = ""] = protocol.split(`| ${heading} | |`)[1]?.split("\n\n") ?? [];
    const rows = [...table.matchAll(/`(\w+) \{([\w?, ]+)\}`/g)];
    expect(rows.length).toBeGreaterThan(5);
    for (const [, name = "", listed = ""] of rows) {
      const schema = (schemas as Record<string, z.ZodType>)[name] as z.ZodType;
      const options = { io: "input", unrepresentable: "any" } as const;
      const { properties = {}, required = [] } = z.toJSONSchema(schema, options);
      const names = Object.keys(properties).map((one) => one + (required.includes(one) ? "" : "?"));
      expect(listed.split(", ").sort(), name).toEqual(names.sort());
    }
  });
});
