import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { commandNames as commands, runCommand } from "../../e2e/harness/run-command.ts";
import { runProgram } from "../../e2e/harness/run-program.ts";
import { someCases } from "../../e2e/provision/proof-size.ts";

const run = (...args: string[]) => runProgram(args);

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

  const asProgram = someCases(commands);
  it.each(commands)(
    "prints how %s is used when asked for help, and does nothing else",
    async (name) => {
      const printed = [await runCommand([name, "--help"]), await runCommand([name, "-h"])];
      if (asProgram.includes(name)) printed.push(await run(name, "--help"));
      for (const { code, out, err } of printed) {
        expect([code, err]).toEqual([0, ""]);
        expect(out).toMatch(new RegExp(`^watchfloor ${name} `));
      }
    },
  );

  it.each(commands)("refuses an option and an argument that %s does not have", async (name) => {
    for (const wrong of [["--colour=red"], ["a", "b", "c", "d"]]) {
      const { code, out, err } = await runCommand([name, ...wrong]);
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
