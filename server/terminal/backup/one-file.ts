import { resolveFromCallerFolder } from "../command.ts";
import { UsageError } from "../server-call.ts";

/** The path of the one file that a command takes. */
export function oneFile([file]: readonly string[]): string {
  if (file === undefined) throw new UsageError("Name a file.");
  return resolveFromCallerFolder(file);
}
