import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { repositoryRoot } from "../suite/run-tool.ts";
import { boardForWallboard, retiredWords } from "./retired-words.ts";

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

/** Where no table is shown as cards. */
const withoutCards = [
  "server",
  "bench",
  "shared/protocol",
  "shared/model/wallboard",
  "client/src/display",
  "client/src/features/wallboards",
  "client/src/features/displays",
  "client/src/state",
  "client/src/sync",
  "client/src/tiles",
  "e2e/tiles",
  "e2e/rights",
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

  it.each(withoutCards)("do not call a wallboard a board in %s", (path) => {
    const found = filesOf(path).flatMap((file) =>
      (readFileSync(`${repositoryRoot}/${file}`, "utf8").match(boardForWallboard) ?? []).map(
        (word) => `${file} ${word}`,
      ),
    );
    expect(found).toEqual([]);
  });

  it.each([
    ["const liveBoard = boardOf(key);", ["eBoard", "boardOf"]],
    ["/** Boards that follow the board. */", ["Boards", "the board"]],
    ["const { boards, board } = frame; // the wallboard", []],
  ])("are found where a wallboard is meant: %s", (text, words) => {
    expect(text.match(boardForWallboard) ?? []).toEqual(words);
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
