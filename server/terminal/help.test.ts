import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { runProgram } from "../../e2e/harness/run-program.ts";

const source = readFileSync(new URL("../main.ts", import.meta.url), "utf8");
const commands = [...source.matchAll(/^ {2}(\w+): \{ ?(?:summary|$)/gm)].map(
  ([, name = ""]) => name,
);
const run = (...args: string[]) => runProgram("main.ts", args);

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
      for (const flag of ["--help", "-h"]) {
        const { code, out, err } = await run(name, flag);
        expect([code, err]).toEqual([0, ""]);
        expect(out).toMatch(new RegExp(`^watchfloor ${name} `));
      }
    },
  );

  it.each(commands)("refuses an option and an argument that %s does not have", async (name) => {
    for (const wrong of [["--colour=red"], ["a", "b", "c", "d"]]) {
      const { code, out, err } = await run(name, ...wrong);
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
