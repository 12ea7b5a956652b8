import { existsSync, globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const readme = readFileSync(`${root}/README.md`, "utf8");

/** Paths between backticks that name a file or folder of the repository. */
const named = [...readme.matchAll(/`((?:server|client|shared|e2e|bench|docs)\/[^`\s]*)`/g)].map(
  (found) => found[1] as string,
);
const linked = [...readme.matchAll(/\]\((?!https?:)([^)]+)\)/g)].map((found) => found[1] as string);

describe("the README", () => {
  it.each([...new Set([...named, ...linked])])("names %s, and it is there", (path) => {
    const there = path.includes("*")
      ? globSync(path, { cwd: root }).length > 0
      : existsSync(`${root}/${path}`);
    expect(there).toBe(true);
  });

  it("names for each of the nine promises its tests, or says that there are none yet", () => {
    const rows = readme.split("\n").filter((line) => /^\| \d \|/.test(line));
    expect(rows).toHaveLength(9);
    for (const row of rows) expect(row).toMatch(/\.test\.ts|e2e\/|bench|not yet/);
  });
});
