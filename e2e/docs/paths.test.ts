import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { repositoryRoot } from "../suite/run-tool.ts";

const read = (path: string) => readFileSync(join(repositoryRoot, path), "utf8");
const documents = globSync(["*.md", "docs/**/*.md"], { cwd: repositoryRoot });
const named = /`((?:server|client|shared|e2e|bench|docs)\/[^`\s<>{]*)`/g;
const namedAlone = /`([\w.-]+\.tsx?)`/g;
const linked = /\]\((?!https?:|mailto:)([^)#]*)(?:#([^)]*))?\)/g;

const sources = globSync("{bench,client,e2e,server,shared}/**/*.{ts,tsx}", {
  cwd: repositoryRoot,
  exclude: (path) => basename(path) === "node_modules",
});
const fileNames = new Set(sources.map((path) => basename(path)));

const exists = (path: string) =>
  path.includes("*")
    ? globSync(path, { cwd: repositoryRoot }).length > 0
    : existsSync(join(repositoryRoot, path));

/** The anchors that GitHub gives to the headings of a document. */
function anchorsOf(document: string): string[] {
  const text = read(document).replace(/^```[\s\S]*?^```/gm, "");
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, "")
      .replaceAll(" ", "-"),
  );
}

describe("what the docs name exists", () => {
  it.each(documents)("in %s", (document) => {
    const text = read(document);
    const links = [...text.matchAll(linked)].map(([, path = "", anchor]) => ({
      to: path ? join(dirname(document), path) : document,
      anchor,
    }));
    const paths = [...text.matchAll(named)].map(([, path = ""]) => path);
    const missing = [...paths, ...links.map(({ to }) => to)].filter((path) => !exists(path));
    const names = [...text.matchAll(namedAlone)].map(([, name = ""]) => name);
    const anchors = links
      .filter(({ to, anchor }) => anchor && to.endsWith(".md") && exists(to))
      .filter(({ to, anchor = "" }) => !anchorsOf(to).includes(anchor))
      .map(({ to, anchor }) => `${to}#${anchor}`);
    const unknownNames = names.filter((name) => !fileNames.has(name));
    expect([...missing, ...anchors, ...unknownNames]).toEqual([]);
  });
});

it("the guide and the page of the client package name the version of Node that the package demands", () => {
  const { engines } = JSON.parse(read("client/package/package.json"));
  const [, version] = /^>=(\d+)$/.exec(engines.node) ?? [];
  for (const page of ["docs/guides/client.md", "client/package/README.md"]) {
    expect(read(page)).toContain(`Node ${version} or newer`);
  }
});

describe("the records of decisions", () => {
  const records = globSync("docs/adr/[0-9]*.md", { cwd: repositoryRoot }).toSorted();
  const numberOf = (path: string) => Number(basename(path).slice(0, 4));

  /** A page, tables included. How the code works belongs at the head of its modules. */
  const WORDS_MAX = 800;

  it.each(records)("%s has one page, and its number and title are those of the list", (path) => {
    const text = read(path);
    const words = text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
    expect(words.length).toBeLessThanOrEqual(WORDS_MAX);
    const [, number, title = ""] = /^# (\d+)\. (.+)$/m.exec(text) ?? [];
    expect(Number(number)).toBe(numberOf(path));
    const list = read("docs/adr/README.md").toLowerCase();
    expect(list).toContain(`| [${number}](${basename(path)}) | ${title.toLowerCase()} |`);
  });

  it("are named by numbers that exist", () => {
    const known = new Set(records.map(numberOf));
    expect(known.size).toBe(records.length);
    const unknown = [...documents, ...sources].flatMap((path) =>
      [...read(path).matchAll(/\bADR (\d+)\b/g)]
        .filter(([, number]) => !known.has(Number(number)))
        .map(([name]) => `${path}: ${name}`),
    );
    expect(unknown).toEqual([]);
  });
});
