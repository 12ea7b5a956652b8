import { expect, it } from "vitest";
import { runProgram } from "../../e2e/harness/run-program.ts";

const programs = [
  "main.ts",
  "demo/main.ts",
  "import/main.ts",
  "terminal/model/main.ts",
  "terminal/backup/backup.ts",
  "terminal/backup/restore.ts",
  "terminal/erase/erase.ts",
];

it.each(programs)(
  "prints how %s is used when asked for help, and does nothing else",
  async (program) => {
    for (const flag of ["--help", "-h"]) {
      const { code, out, err } = await runProgram(program, [flag]);
      expect([code, err]).toEqual([0, ""]);
      expect(out).toMatch(/^npm (start|run \w+)/);
    }
  },
);

it.each(programs)("refuses an option that %s does not have", async (program) => {
  const { code, out, err } = await runProgram(program, ["--colour=red"]);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain("colour");
  expect(err).toContain("npm ");
});
