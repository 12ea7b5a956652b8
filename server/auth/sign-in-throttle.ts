import { type Explanation, explain } from "../../shared/error-texts/explain.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import {
  type AttemptBound,
  countAttempt,
  forgetAttempts,
  uncountAttempt,
} from "../store/users/sign-in-attempts.ts";
import { foldEmail } from "../store/users/users.ts";
import type { Auth } from "./create-auth.ts";
import { networkOf } from "./network-of.ts";
import { hashToken } from "./tokens.ts";

/** The longest wait on a device from which the user has signed in before. */
const SIGN_IN_KNOWN_MAX_WAIT_MS = 30_000;
/** The time over which failed sign-ins, and tried pairing codes, are counted. */
export const SIGN_IN_WINDOW_MS = 900_000;

/**
 * Wrong codes in a day, for one source. A code has six digits, of which up to three are right at any moment: so many guesses find one in
 * eighteen years.
 */
const CODES_MAX = 50;
export const CODES_WINDOW_MS = 86_400_000;
/** What can be guessed. Recovery codes can't, so they are accepted whatever was tried. */
const GUESSABLE = /^\s*(?:\d\s*){6}$/;

/**
 * Slows down guesses at passwords and codes, over all servers, because they are counted in the database. From
 * the limit on each failure doubles the wait for the next attempt. Unknown devices share a counter per
 * account and one per network address, and may have to wait for a long time. A known device, and a signed-in
 * user, have a counter of their own with short waits, so that strangers can't lock them out. A missing
 * account is counted like an existing one.
 *
 * Codes have a counter of their own beside that, because short waits are many guesses in a day. All sessions and devices of an account share it
 * but those that have shown its second factor before (devices.ts): whoever knows the password can use it up, and the owner
 * still signs in where they have done so before, or by a passkey or a recovery code.
 */

/** The source of an attempt. */
export type AttemptSource =
  /** By an email, from a device that this user has not signed in from before. */
  | { email: string; ip: string }
  /** From a device that is known for this user (devices.ts), by its key. */
  | { device: string }
  /** Signed in, and proves the password again. */
  | { user: string }
  /** By a passkey that was wrong. */
  | { ip: string }
  /** A code of a user who knows the password, from a known device or none. */
  | { codesOf: string; from: string | null };

/** An attempt, counted as a failure unless it is resolved otherwise. */
export interface Attempt {
  /** It succeeded: earlier failures are deleted. */
  succeeded(): Promise<void>;
  /** It was right so far, and another factor is needed: it doesn't count, earlier failures still do. */
  inconclusive(): Promise<void>;
}

interface Counter {
  key: string;
  bound: AttemptBound;
  /** A right attempt deletes all failures, not only itself. */
  isPerUser: boolean;
}

/** Counts an attempt; refuses it while the wait lasts after too many. */
export async function beginAttempt(auth: Auth, source: AttemptSource): Promise<Attempt> {
  const { db } = auth;
  const counters = await countersOf(auth, source);
  const counted: Counter[] = [];
  for (const counter of counters) {
    const wait = await countAttempt(db, counter.key, counter.bound);
    if (wait !== null) {
      for (const { key } of counted) await uncountAttempt(db, key);
      throw tooMany(wait, explain("session.tooManyAttempts"));
    }
    counted.push(counter);
  }
  return {
    async succeeded() {
      for (const { key, isPerUser } of counters) {
        await (isPerUser ? forgetAttempts(db, key) : uncountAttempt(db, key));
      }
    },
    async inconclusive() {
      for (const { key } of counters) await uncountAttempt(db, key);
    },
  };
}

/** The same for a code; null where it can't be guessed. */
export async function beginCode(
  auth: Auth,
  user: string,
  code: string,
  device: string | null,
): Promise<Attempt | null> {
  return GUESSABLE.test(code) ? beginAttempt(auth, { codesOf: user, from: device }) : null;
}

/** A user has proved their identity by other means: earlier failures of the account count no more. */
export async function resetAccountFailures({ db }: Auth, email: string): Promise<void> {
  await forgetAttempts(db, accountKey(await foldEmail(db, email)));
}

/** Keys are hashed: the table does not list who tried to sign in from where. */
const accountKey = (folded: string) => hashToken(`account ${folded}`);

async function countersOf({ db, limits }: Auth, source: AttemptSource): Promise<Counter[]> {
  const windowMs = SIGN_IN_WINDOW_MS;
  const firstWaitMs = limits.SIGN_IN_FIRST_WAIT_MS;
  const perAccount = { limit: limits.SIGN_IN_FAILURES_PER_ACCOUNT, windowMs, firstWaitMs };
  if ("codesOf" in source) {
    const { codesOf, from } = source;
    const key = hashToken(from === null ? `codes ${codesOf}` : `codes from ${from}`);
    // A right one takes back itself alone: what the owner enters forgives no guess.
    return [{ key, bound: { limit: CODES_MAX, windowMs: CODES_WINDOW_MS }, isPerUser: false }];
  }
  if (!("ip" in source)) {
    const key = hashToken("device" in source ? `from ${source.device}` : `person ${source.user}`);
    const bound = { ...perAccount, maxWaitMs: SIGN_IN_KNOWN_MAX_WAIT_MS };
    return [{ key, bound, isPerUser: true }];
  }
  const perAddress = { ...perAccount, limit: limits.SIGN_IN_FAILURES_PER_ADDRESS };
  const address: Counter = {
    key: hashToken(`address ${networkOf(source.ip)}`),
    bound: { ...perAddress, maxWaitMs: windowMs },
    isPerUser: false,
  };
  if (!("email" in source)) return [address];
  const key = accountKey(await foldEmail(db, source.email));
  return [address, { key, bound: { ...perAccount, maxWaitMs: windowMs }, isPerUser: true }];
}

/** Refuses an attempt until so many milliseconds have passed. */
export function tooMany(waitMs: number, explanation: Explanation): Refusal {
  return new Refusal("rate_limited", { retryAfter: Math.ceil(waitMs / 1_000) }, explanation);
}
