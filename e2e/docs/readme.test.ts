import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { repositoryRoot } from "../stages/run-tool.ts";

it("the README names for each of the nine promises its tests", () => {
  const readme = readFileSync(`${repositoryRoot}/README.md`, "utf8");
  const rows = readme.split("\n").filter((line) => /^\| \d \|/.test(line));
  expect(rows).toHaveLength(9);
  for (const row of rows) expect(row).toMatch(/\.test\.ts|e2e\/|bench/);
});
