import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { repositoryRoot } from "../stages/run-tool.ts";
import { retiredWords } from "./retired-words.ts";

/** Files and folders without retired words; the rest of `client` follows. */
const clean = [
  "README.md",
  "CONTRIBUTING.md",
  "docs",
  "shared",
  "server",
  "bench",
  "e2e",
  "client/src/display",
  "client/src/features/displays",
  "client/src/features/me",
  "client/src/features/model",
  "client/src/features/roles",
  "client/src/features/security",
  "client/src/features/setup",
  "client/src/features/users",
  "client/src/features/wallboards",
  "client/src/tiles",
];

/** Released migrations keep their text; the glossary and the lint name the words. */
const exempt = /store\/migrations\/|GLOSSARY\.md|retired-words/;

function filesOf(path: string): string[] {
  if (/\.\w+$/.test(path)) return [path];
  const found = globSync(`${path}/**/*.{ts,tsx,mjs,md}`, { cwd: repositoryRoot });
  return found.filter((file) => !exempt.test(file) && !file.includes("node_modules"));
}

describe("retired words", () => {
  it.each(clean)("do not appear in %s", (path) => {
    const files = filesOf(path);
    expect(files.length).toBeGreaterThan(0);
    const found = files.flatMap((file) =>
      retiredWords(readFileSync(`${repositoryRoot}/${file}`, "utf8"), !file.endsWith(".md")).map(
        ({ line, word }) => `${file}:${line} ${word}`,
      ),
    );
    expect(found).toEqual([]);
  });

  it.each([
    ["// is told the figures", ["told", "figures"]],
    ["const person = 1; // the person", ["person"]],
    ["const doorOf = judgeAll;", ["door", "judge"]],
    ['it("shows a person their room");', ["person", "room"]],
    ["the model in force", ["in force"]],
    ["// the service desk, `person` and `people`", []],
    ['{ name: "assignee", type: "person" }', []],
  ])("are found: %s", (text, words) => {
    expect(retiredWords(text, true).map(({ word }) => word)).toEqual(words);
  });
});
