import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

async function run(program: string, ...args: string[]) {
  const file = fileURLToPath(new URL(`../${program}`, import.meta.url));
  const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE };
  const child = spawn(process.execPath, [file, ...args], { env });
  const output = { out: "", err: "" };
  child.stdout.on("data", (text) => {
    output.out += String(text);
  });
  child.stderr.on("data", (text) => {
    output.err += String(text);
  });
  const [code] = await once(child, "close");
  return { code, ...output };
}

const programs = [
  "main.ts",
  "demo/main.ts",
  "import/main.ts",
  "terminal/model/main.ts",
  "terminal/backup/backup.ts",
  "terminal/backup/restore.ts",
];

it.each(programs)(
  "prints how %s is used when asked for help, and does nothing else",
  async (program) => {
    for (const flag of ["--help", "-h"]) {
      const { code, out, err } = await run(program, flag);
      expect([code, err]).toEqual([0, ""]);
      expect(out).toMatch(/^npm (start|run \w+)/);
    }
  },
);

it.each(programs)("refuses an option that %s does not have", async (program) => {
  const { code, out, err } = await run(program, "--colour=red");
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain("colour");
  expect(err).toContain("npm ");
});
