import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { repositoryRoot } from "../stages/run-tool.ts";

const documents = globSync(["*.md", "docs/**/*.md"], { cwd: repositoryRoot });
const named = /`((?:server|client\/src|shared|e2e|bench|docs)\/[^`\s<>{]*)`/g;
const linked = /\]\((?!https?:|#|mailto:)([^)#]+)(?:#[^)]*)?\)/g;

const exists = (path: string) =>
  path.includes("*")
    ? globSync(path, { cwd: repositoryRoot }).length > 0
    : existsSync(join(repositoryRoot, path));

describe("files that the docs name", () => {
  it.each(documents)("exist: %s", (document) => {
    const text = readFileSync(join(repositoryRoot, document), "utf8");
    const paths = [...text.matchAll(named)].map(([, path = ""]) => path);
    const links = [...text.matchAll(linked)].map(([, to = ""]) => join(dirname(document), to));
    expect([...paths, ...links].filter((path) => !exists(path))).toEqual([]);
  });
});
