import { type Explanation, englishText, quote, wordingOf } from "../error-texts/explain.ts";

/**
 * The error catalogue: every refusal that a client can receive. Clients switch on the code, never on the
 * text.
 */
export const errorCatalogue = {
  invalid_request: { status: 400, message: "The request is not well formed." },
  unauthenticated: { status: 401, message: "Please sign in." },
  session_ended: { status: 401, message: "Your session has ended. Please sign in again." },
  second_factor_required: { status: 401, message: "Enter the code from your authenticator." },
  second_factor_wrong: { status: 401, message: "Incorrect code." },
  authentication_too_old: { status: 401, message: "Please confirm that it is you." },
  forbidden: { status: 403, message: "You do not have the right to do that." },
  not_found: { status: 404, message: "There is nothing here, or you may not see it." },
  conflict: { status: 409, message: "Someone else changed this in the meantime." },
  base_required: { status: 428, message: "The request has no base." },
  model_conflict: { status: 409, message: "Someone else changed the model in the meantime." },
  duplicate: { status: 409, message: "That value is already used by another record." },
  aborted: { status: 409, message: "Not done, because another part of the same request failed." },
  record_deleted: { status: 410, message: "This record was deleted." },
  resync_required: { status: 410, message: "That position is older than the stored log." },
  too_large: { status: 413, message: "That is larger than the limit." },
  validation_failed: { status: 422, message: "Some values are not allowed." },
  transition_required: { status: 422, message: "The state changes only by a transition." },
  transition_not_allowed: { status: 422, message: "That transition is not possible here." },
  transition_incomplete: { status: 422, message: "Something is missing for this transition." },
  field_locked: { status: 422, message: "This field is read-only in the current state." },
  link_broken: { status: 422, message: "The linked record does not exist." },
  still_linked: { status: 422, message: "Other records link to this one." },
  mutation_mismatch: { status: 422, message: "This mutation id was used for other content." },
  rate_limited: { status: 429, message: "Too many requests. Please wait a moment." },
  query_timeout: {
    status: 422,
    message: "This took too long to read. Narrow the filter or the search, and try again.",
  },
  model_mismatch: {
    status: 503,
    message: "A table no longer fits the model. Ask an administrator.",
  },
  update_required: { status: 426, message: "This page is too old. Please reload it." },
  internal: { status: 500, message: "Something went wrong on the server." },
  unavailable: { status: 503, message: "Database unavailable." },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errorCatalogue;

/**
 * What a failed call carries, on the socket and (with type, title and status) as problem details. `messageKey` and
 * `messageValues` are those of its `Explanation`.
 */
export interface ErrorBody {
  code: ErrorCode;
  message: string;
  [detail: string]: unknown;
}

/** V8 takes the length of stacks from here; other engines ignore it. */
const engine = Error as { stackTraceLimit?: number | undefined };

/**
 * A refusal from the catalogue. `detail` is machine-readable and safe to show to the caller. It has the `messageKey` and
 * `messageValues` of the explanation; without an explanation the message is that of the code. A refusal has no stack:
 * refusals are answers, one group commit may make a thousand of them, and stacks took half of its evaluation.
 */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly detail: Record<string, unknown>;

  constructor(code: ErrorCode, detail: Record<string, unknown> = {}, explanation?: Explanation) {
    const { stackTraceLimit } = engine;
    engine.stackTraceLimit = 0;
    super(explanation ? englishText(explanation) : errorCatalogue[code].message);
    engine.stackTraceLimit = stackTraceLimit;
    // What users of the client package know it by.
    this.name = "WatchfloorError";
    this.code = code;
    const { messageKey: _key, messageValues: _values, ...facts } = detail;
    this.detail = explanation ? { ...facts, ...wordingOf(explanation) } : facts;
  }

  /** What was received, or stored: the inverse of `toBody`. */
  static fromBody({ code, message, ...detail }: ErrorBody): Refusal {
    return new Refusal(code, detail, { ...quote(message), ...wordingOf(detail) });
  }

  /** Its explanation, to be given to another refusal; that of the code if it has no other. */
  get explanation(): Explanation {
    return { ...quote(this.message), ...wordingOf(this.detail) };
  }

  get status(): number {
    return errorCatalogue[this.code].status;
  }

  toBody(): ErrorBody {
    return { ...this.detail, code: this.code, message: this.message };
  }
}

const COME_BACK_AFTER_S = 2;

/** The database, or what replaces it, is unavailable: nothing was stored, and the same request may be repeated soon. */
export function unavailable(
  detail: Record<string, unknown> = {},
  explanation?: Explanation,
): Refusal {
  return new Refusal("unavailable", { retryAfter: COME_BACK_AFTER_S, ...detail }, explanation);
}

/** Whether a refusal says nothing of the call: the same call may succeed later, and is made again without anybody's doing. */
export function isTransient(code: string): boolean {
  return code === "unavailable" || code === "rate_limited";
}

/** Whether a refusal says that its caller is nobody, or nobody any more. */
export function isSignedOut(code: string | null | undefined): boolean {
  return code === "unauthenticated" || code === "session_ended";
}

/** What was looked up; refuses what is missing or hidden. */
export function found<T>(value: T | null | undefined | false): T {
  if (!value) throw new Refusal("not_found");
  return value;
}

/** One field's failure within `validation_failed`: the broken rule and a sentence for users. */
export interface FieldProblem extends Explanation {
  rule: string;
}

/** The refusal of one value. */
export function invalidValue(field: string, rule: string, explanation: Explanation): Refusal {
  return new Refusal("validation_failed", { fields: { [field]: { rule, ...explanation } } });
}

/** One field within `conflict`: what the author saw, wants, and finds. */
export interface FieldConflict {
  base: unknown;
  mine: unknown;
  theirs: unknown;
  by: { kind: string; id: string; name: string } | null;
  at: string | null;
}
