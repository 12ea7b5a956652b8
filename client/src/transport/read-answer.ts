import { type ErrorCode, errorCatalogue, Refusal } from "../../../shared/protocol/errors.ts";
import type { CallName, Calls } from "./transport.ts";
import type { Wire } from "./wire.ts";

/** Reads an acknowledgement: the checked answer, or the refusal thrown. What fits neither is `internal`. */
export function readAnswer<K extends CallName>(
  wire: Wire,
  name: K,
  answer: unknown,
): Calls[K]["answer"] {
  if (isObject(answer) && answer.ok === true) {
    const { ok: _ok, ...rest } = answer;
    const read = wire.readAnswer(name, rest);
    if (read !== null) return read;
  }
  throw toRefusal(isObject(answer) ? answer.error : null);
}

/** An error body of the wire as a refusal; `internal` if it is none. */
export function toRefusal(error: unknown): Refusal {
  if (!isObject(error)) return new Refusal("internal");
  const { code, message, ...detail } = error;
  if (typeof code !== "string" || !Object.hasOwn(errorCatalogue, code)) {
    return new Refusal("internal");
  }
  return new Refusal(code as ErrorCode, detail, typeof message === "string" ? message : undefined);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
