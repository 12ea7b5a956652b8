import { spawn } from "node:child_process";
import { once } from "node:events";
import { serverProgram } from "./server-program.ts";

/** Runs `watchfloor <command>` to its end, in this environment and no other. */
export async function runProgram(
  args: readonly string[],
  environment: Record<string, string> = {},
) {
  const file = await serverProgram("main");
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [file, ...args], {
    env: { PATH, NODE_COMPILE_CACHE, ...environment },
  });
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
