import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { repositoryRoot } from "../stages/run-tool.ts";
import { retiredWords } from "./retired-words.ts";

/** Everything but the change log, which keeps the words of its time. */
const clean = [
  "README.md",
  "CONTRIBUTING.md",
  "docs",
  "shared",
  "server",
  "bench",
  "e2e",
  "client",
];

/** Released migrations keep their text; the glossary and the lint name the words; messages have their names. */
const exempt = /store\/migrations\/|GLOSSARY\.md|reference\/socket\.md|retired-words/;

function filesOf(path: string): string[] {
  if (/\.\w+$/.test(path)) return [path];
  const found = globSync(`${path}/**/*.{ts,tsx,mjs,js,css,html,md}`, { cwd: repositoryRoot });
  return found.filter((file) => !exempt.test(file) && !/node_modules|\/dist\//.test(file));
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
    ["while the store is away", ["is away"]],
    ["says what became of it", ["what became of"]],
    ["// the service desk, `person` and `people`", []],
    ["/* the room of a person */", ["room", "person"]],
    [".tile { --tile-figure: 1 }", ["figure"]],
    ['{ name: "assignee", type: "person" }', []],
  ])("are found: %s", (text, words) => {
    expect(retiredWords(text, true).map(({ word }) => word)).toEqual(words);
  });
});
