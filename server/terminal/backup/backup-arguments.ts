import { parseArgs } from "node:util";
import { resolveFromCallerFolder } from "../run-command.ts";
import { UsageError } from "../server-call.ts";

/** The one file that both commands take, and the switches of `restore`. */
export function readBackupArguments<Flag extends string>(
  args: string[],
  flags: readonly Flag[],
): { file: string; given: ReadonlySet<Flag> } {
  const options = Object.fromEntries(flags.map((flag) => [flag, { type: "boolean" as const }]));
  const { values, positionals } = parse(args, options);
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new UsageError("Name one file.");
  return {
    file: resolveFromCallerFolder(file),
    given: new Set(flags.filter((flag) => values[flag] === true)),
  };
}

function parse(args: string[], options: Record<string, { type: "boolean" }>) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
