import { resolve } from "node:path";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { ServerError } from "./rest-call.ts";
import { UsageError } from "./server-call.ts";
import { OUTPUT_CLOSED_STATUS, OutputClosed } from "./write-output.ts";

/** What every command of `watchfloor` has in common: its arguments, its help, its exit status. */

type Options = NonNullable<ParseArgsConfig["options"]>;
/** The arguments of a command. */
export type Parsed<O extends Options> = ReturnType<
  typeof parseArgs<{ args: string[]; options: O; allowPositionals: true }>
>;

export interface Command {
  usage: string;
  /** Returns the exit status: 2 if it could not even be tried, 141 if its output was closed. */
  run: (args: readonly string[]) => Promise<number>;
}

/** A command that parses its own arguments. It refuses what it does not know. */
export function defineCommand<const O extends Options>({
  usage,
  options,
  maxArguments = 0,
  run,
}: {
  /** What `--help` prints: how it is called, its options, what it does. */
  usage: string;
  options: O;
  /** How many arguments without `--` it takes at most; none unless given. */
  maxArguments?: number;
  /** Returns the exit status: 0, or 1 if it was carried out with a fault. */
  run: (given: Parsed<O>) => Promise<number>;
}): Command {
  return {
    usage,
    async run(args) {
      if (args.includes("--help") || args.includes("-h")) {
        console.log(usage);
        return 0;
      }
      try {
        return await run(parse(args, options, maxArguments));
      } catch (error) {
        if (error instanceof OutputClosed) return OUTPUT_CLOSED_STATUS;
        if (error instanceof UsageError) console.error(`${error.message}\n\n${usage}`);
        else if (error instanceof ServerError) console.error(error.message);
        else throw error;
        return 2;
      }
    },
  };
}

function parse<O extends Options>(args: readonly string[], options: O, max: number): Parsed<O> {
  try {
    const parsed = parseArgs({ args: [...args], options, allowPositionals: true });
    const excess = parsed.positionals[max];
    if (excess === undefined) return parsed;
    throw new UsageError(`Unexpected argument "${excess}".`);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError((error as Error).message);
  }
}

/** The path of the one file that a command takes. */
export function oneFile([file]: readonly string[]): string {
  if (file === undefined) throw new UsageError("Name a file.");
  return resolveFromCallerFolder(file);
}

/** npm runs us in the project's folder; paths are relative to the caller's folder. */
export function resolveFromCallerFolder(file: string): string {
  return resolve(process.env.INIT_CWD ?? ".", file);
}
