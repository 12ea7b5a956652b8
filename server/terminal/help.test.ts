import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it, vi } from "vitest";
import { runProgram } from "../../e2e/harness/run-program.ts";
import type { Command } from "./command.ts";

const source = readFileSync(new URL("../main.ts", import.meta.url), "utf8");
const commands = [...source.matchAll(/^ {2}(\w+): \{ ?(?:summary|$)/gm)].map(
  ([, name = ""]) => name,
);
const run = (...args: string[]) => runProgram(args);

/** What a command prints and its exit status, without a process of its own: to start one takes a third of a second. */
async function runHere(name: string, ...args: string[]) {
  const file = new RegExp(`^ {2}${name}: \\{[^}]*import\\(([^)]*)\\)`, "m").exec(source)?.[1];
  const path = file === "demoModule" ? /demoModule: string = (.*);/.exec(source)?.[1] : file;
  const url = new URL(`../${JSON.parse(path ?? "")}`, import.meta.url).href;
  const { command } = (await import(url)) as { command: Command };
  const out = vi.spyOn(console, "log").mockReturnValue();
  const err = vi.spyOn(console, "error").mockReturnValue();
  const code = await command.run(args);
  const printed = (spy: typeof out) => spy.mock.calls.flat().join("\n");
  return { code, out: printed(out), err: printed(err) };
}

afterEach(() => vi.restoreAllMocks());

describe("watchfloor", () => {
  it("lists its commands when asked for help, or for nothing", async () => {
    for (const args of [[], ["--help"], ["help"]]) {
      const { code, out, err } = await run(...args);
      expect([code, err]).toEqual([0, ""]);
      for (const name of commands) expect(out).toMatch(new RegExp(`^  ${name} `, "m"));
    }
    const { code, err } = await run("constructor");
    expect(code).toBe(2);
    expect(err).toContain('There is no command "constructor".');
  });

  it.each(commands)(
    "prints how %s is used when asked for help, and does nothing else",
    async (name) => {
      for (const { code, out, err } of [await run(name, "--help"), await runHere(name, "-h")]) {
        expect([code, err]).toEqual([0, ""]);
        expect(out).toMatch(new RegExp(`^watchfloor ${name} `));
      }
    },
  );

  it.each(commands)("refuses an option and an argument that %s does not have", async (name) => {
    for (const wrong of [["--colour=red"], ["a", "b", "c", "d"]]) {
      vi.restoreAllMocks();
      const { code, out, err } = await runHere(name, ...wrong);
      expect([code, out]).toEqual([2, ""]);
      expect(err).toContain(wrong[0]?.startsWith("--") ? "--colour" : "Unexpected argument");
      expect(err).toContain(`watchfloor ${name} `);
    }
  });

  it("can be called by the bootstrap by the same names", () => {
    const bootstrap = readFileSync(new URL("../bootstrap/run.mjs", import.meta.url), "utf8");
    for (const name of commands) expect(bootstrap).toContain(`"${name}"`);
    const { scripts } = JSON.parse(
      readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
    ) as { scripts: Record<string, string> };
    expect(scripts.watchfloor).toBe("node server/bootstrap/run.mjs");
  });
});
