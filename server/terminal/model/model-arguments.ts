import type { Parsed } from "../command.ts";
import {
  readServerCall,
  type ServerCall,
  serverOptions,
  serverUsage,
  UsageError,
} from "../server-call.ts";

/** Checks the arguments of `watchfloor model`. */
export interface ModelCall extends ServerCall {
  verb: "export" | "apply";
  /** `-` means standard input or output. */
  file: string;
  /** Publishes the plan; otherwise it is only shown. */
  apply: boolean;
  confirmLoss: boolean;
  /** Based on the published version, not on the one that the file names. */
  ontoCurrent: boolean;
  showSql: boolean;
}

export const usage = `watchfloor model export [file]          the published model, as a file (or on the terminal)
watchfloor model apply <file> [options]   what the file would change, in words; nothing is changed

  --yes                   publish it, if nothing is lost by it
  --confirm=lossy         publish it, including the losses that the plan lists
  --onto=current          also where the model has moved on since the file was exported
  --sql                   show the statements too
${serverUsage}`;

export const options = {
  ...serverOptions,
  yes: { type: "boolean" },
  confirm: { type: "string" },
  onto: { type: "string" },
  sql: { type: "boolean" },
} as const;

export type ModelOptions = Parsed<typeof options>;

/** Throws a UsageError that says what is missing. */
export function readModelCall(
  { values, positionals }: ModelOptions,
  environment: Readonly<Record<string, string | undefined>>,
): ModelCall {
  const [verb, file] = positionals;
  if (verb !== "export" && verb !== "apply") throw new UsageError("Say export or apply.");
  if (verb === "apply" && file === undefined) throw new UsageError("Say which file to apply.");
  requireOne("confirm", values.confirm, "lossy");
  requireOne("onto", values.onto, "current");
  return {
    ...readServerCall(values, environment),
    verb,
    file: file ?? "-",
    apply: values.yes === true || values.confirm !== undefined,
    confirmLoss: values.confirm !== undefined,
    ontoCurrent: values.onto !== undefined,
    showSql: values.sql ?? false,
  };
}

function requireOne(option: string, value: string | undefined, expected: string): void {
  if (value === undefined || value === expected) return;
  throw new UsageError(`--${option} can only be ${expected}, not "${value}".`);
}
