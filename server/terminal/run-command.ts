import { resolve } from "node:path";
import { ServerError } from "./rest-call.ts";
import { UsageError } from "./server-call.ts";

/** npm runs us in the project's folder; paths are relative to the caller's folder. */
export function resolveFromCallerFolder(file: string): string {
  return resolve(process.env.INIT_CWD ?? ".", file);
}

/** Runs a command and returns its exit status: 2 if it could not even be tried. `--help` prints the usage. */
export function runCommand(run: () => Promise<number>, usage: string): void {
  if (process.argv.slice(2).some((arg) => arg === "--help" || arg === "-h")) {
    console.log(usage);
    return;
  }
  run().then(
    (code) => {
      process.exitCode = code;
    },
    (error: unknown) => {
      process.exitCode = 2;
      if (error instanceof UsageError) console.error(`${error.message}\n\n${usage}`);
      else if (error instanceof ServerError) console.error(error.message);
      else throw error;
    },
  );
}
