import { englishOnly } from "../../shared/error-texts/explain.ts";
import { type ErrorBody, Refusal } from "../../shared/protocol/errors.ts";
import { type issuesOf, readMessage } from "../../shared/protocol/message-form.ts";
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
 * Receives whatever a socket sent, and answers it if it wants an answer. Everything is validated here, and no
 * failure ends the process or the connection.
 */
export async function dispatch(
  deps: DispatchDeps,
  connection: Connection,
  event: string,
  args: unknown[],
): Promise<void> {
  const ack = takeAck(args, connection);
  try {
    const retryAfter = connection.bucket.take();
    if (retryAfter > 0) throw new Refusal("rate_limited", { retryAfter });
    connection.requireCapacity();
    const call = deps.calls.get(event);
    if (!call) throw new Refusal("invalid_request", { event });
    await run(call, connection, parse(call, args), ack);
  } catch (error) {
    ack({ ok: false, error: deps.toRefusal(error, `call ${event}`).toBody() });
  }
}

/** Begins the call in the same turn in which the caller's rights were verified. */
async function run(call: AnyCall, connection: Connection, input: never, ack: Ack): Promise<void> {
  for (;;) {
    const rights = await connection.verifiedRights();
    if (!rights) return;
    if (!connection.isCurrent(rights)) continue;
    const { identity } = rights;
    if (identity.display && !call.isForDisplays)
      throw new Refusal("forbidden", {}, NOT_FOR_DISPLAYS);
    if (call.isActivity || identity.token) connection.noteActivity();
    await call.run({ connection, identity, rights }, input, (out) => ack({ ...out, ok: true }));
    return;
  }
}

function parse(call: AnyCall, args: unknown[]): never {
  if (args.length > 1) throw malformed("Too many arguments.");
  const read = readMessage(call.schema, args[0]);
  if ("data" in read) return read.data;
  if ("problem" in read) throw malformed(`The message ${read.problem}.`);
  const { issues } = read;
  const [first] = issues;
  const where = first?.path.join(".") || "the message";
  throw malformed(`${where}: ${first?.message}.`, issues);
}

function malformed(sentence: string, issues: ReturnType<typeof issuesOf> = []): Refusal {
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
