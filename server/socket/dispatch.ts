import { englishOnly } from "../../shared/error-texts/explain.ts";
import { type ErrorBody, Refusal } from "../../shared/protocol/errors.ts";
import { type BadInput, parseInput } from "../policy/parse-input.ts";
import type { Log } from "../relay/log.ts";
import type { AnyCall } from "./call.ts";
import type { Connection } from "./connection.ts";

export interface DispatchDeps {
  calls: ReadonlyMap<string, AnyCall>;
  /** Converts any failure to the catalogue, and reports unforeseen ones. */
  toRefusal: (error: unknown, during: string) => Refusal;
  log: Log;
}

type Ack = (answer: { ok: true } | { ok: false; error: ErrorBody }) => void;

const NOT_FOR_DISPLAYS = englishOnly("A display may ask for its wallboards and for nothing else.");

/**
 * Receives whatever a socket sent, and answers it if it wants an answer. Everything is validated here, and a failure is an
 * answer; one that can't even be answered is that of the listener (see guard-listener.ts).
 */
export async function dispatch(
  deps: DispatchDeps,
  connection: Connection,
  event: string,
  args: unknown[],
): Promise<void> {
  const ack = takeAck(args, connection);
  try {
    const retryAfter = connection.takeMessage();
    if (retryAfter > 0) throw new Refusal("rate_limited", { retryAfter });
    connection.requireCapacity();
    const call = deps.calls.get(event);
    if (!call) throw new Refusal("invalid_request", { event });
    await run(call, connection, args, ack);
  } catch (error) {
    ack({ ok: false, error: deps.toRefusal(error, `call ${event}`).toBody() });
  }
}

/**
 * Begins the call in the same turn in which the caller's rights were verified. The message of a caller without the right to send
 * it is not looked at.
 */
async function run(
  call: AnyCall,
  connection: Connection,
  args: unknown[],
  ack: Ack,
): Promise<void> {
  for (;;) {
    const rights = await connection.verifiedRights();
    if (!rights) return;
    if (!connection.isCurrent(rights)) continue;
    const { identity } = rights;
    if (identity.display && !call.isForDisplays)
      throw new Refusal("forbidden", {}, NOT_FOR_DISPLAYS);
    const input = parse(call, args);
    if (call.isActivity || identity.token) connection.noteActivity();
    await call.run({ connection, identity, rights }, input, (out) => ack({ ...out, ok: true }));
    return;
  }
}

function parse(call: AnyCall, args: unknown[]): never {
  if (args.length > 1) throw malformed("Too many arguments.");
  const parsed = parseInput(call.schema, args[0]);
  if (parsed.ok) return parsed.data;
  const { problem, path, issues } = parsed;
  const where = path.join(".") || "the message";
  throw malformed(`${where}: ${problem}.`, issues);
}

function malformed(sentence: string, issues: BadInput["issues"] = []): Refusal {
  return new Refusal("invalid_request", { issues }, englishOnly(sentence));
}

/** The last argument, if it is an acknowledgement; a second answer is ignored. */
function takeAck(args: unknown[], connection: Connection): Ack {
  const last = args.at(-1);
  if (typeof last !== "function") return () => undefined;
  args.pop();
  let answered = false;
  return (answer) => {
    if (answered) return;
    answered = true;
    last(answer);
    connection.noteAnswer();
  };
}
