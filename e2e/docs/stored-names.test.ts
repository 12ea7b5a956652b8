import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { HINT_CHANNEL } from "../../server/relay/feed-messages.ts";
import { repositoryRoot } from "../suite/run-tool.ts";

const guide = readFileSync(`${repositoryRoot}/docs/guides/stored-names.md`, "utf8");

/** The first cells of the guide's tables. */
const listed = [...guide.matchAll(/^\| `([^`]+)`/gm)].map(([, name = ""]) => name).sort();

function namesIn(files: string, pattern: RegExp): string[] {
  const exclude = ["**/node_modules/**", "**/testing/**", "**/*.{test,proof}.{ts,tsx}"];
  const paths = globSync(files, { cwd: repositoryRoot, exclude });
  const texts = paths.map((path) => readFileSync(`${repositoryRoot}/${path}`, "utf8"));
  return texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name = ""]) => name));
}

describe("docs/guides/stored-names.md", () => {
  it("lists what browsers store, cookies, metrics and database names, and nothing else", () => {
    const stored = [
      ...namesIn("client/src/**/*.{ts,tsx}", /["'`](watchfloor\.[\w.-]*|wf-tab:)/g),
      ...namesIn("{server,shared}/**/*.ts", /\b(watchfloor_[a-z_]+)/g),
    ];
    expect(listed).toEqual([...new Set(stored)].sort());
  });

  it("names the channels of the bus", () => {
    const channels = namesIn("server/**/*.ts", /BusChannel<[^=]*= \{\s*name: "(\w+)"/g);
    expect(channels).toContain(HINT_CHANNEL.name);
    for (const name of [...channels, "probe"]) expect(guide).toContain(`\`${name}\``);
  });

  it("names the object store of the edits", () => {
    const [database] = namesIn("client/src/transport/indexed-*.ts", /DATABASE = "(\w+)"/g);
    const [store] = namesIn("client/src/transport/indexed-*.ts", /STORE = "(\w+)"/g);
    expect(guide).toContain(`IndexedDB database \`${database}\``);
    expect(guide).toContain(`object store \`${store}\``);
  });
});
