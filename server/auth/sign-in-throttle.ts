import type { Limits } from "../../shared/limits.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { Db } from "../store/database.ts";
import { countAttempt, forgetAttempts, takeBackAttempt } from "../store/people/sign-in-attempts.ts";
import { foldEmail } from "../store/people/users.ts";
import { networkOf } from "./network-of.ts";
import { hashToken } from "./tokens.ts";

/**
 * Bounds guesses at passwords and codes, per account and per network address, over all servers: they
 * count in the database. An account that does not exist is counted like one that does.
 */

interface Deps {
  db: Db;
  limits: Limits;
}

/** An attempt that is counted as a failure until told otherwise. */
export interface Attempt {
  /** It was right: the failures before it are forgotten. */
  succeeded(): Promise<void>;
  /** It was right as far as it went, and more is asked: it doesn't count, those before it still do. */
  undecided(): Promise<void>;
}

/** Counts an attempt; refuses it where there were too many. Without an email, only by the address. */
export async function beginAttempt(deps: Deps, email: string | null, ip: string): Promise<Attempt> {
  const { db, limits } = deps;
  const folded = email === null ? null : await foldEmail(db, email);
  const { account, address } = throttleKeys(limits, folded, ip);
  await refuseFlood(deps, { account, address });
  return {
    async succeeded() {
      if (account) await forgetAttempts(db, account.key);
      await takeBackAttempt(db, address.key);
    },
    async undecided() {
      if (account) await takeBackAttempt(db, account.key);
      await takeBackAttempt(db, address.key);
    },
  };
}

/** Somebody has proved by other means who they are: what was guessed at their account before counts no more. */
export async function forgiveAccount({ db, limits }: Deps, email: string): Promise<void> {
  const { account } = throttleKeys(limits, await foldEmail(db, email), "");
  if (account) await forgetAttempts(db, account.key);
}

type Keys = ReturnType<typeof throttleKeys>;

/** Keys are hashed: the table is no list of who tried to sign in from where. */
function throttleKeys(limits: Limits, email: string | null, ip: string) {
  const windowMs = limits.SIGN_IN_WINDOW_MS;
  return {
    account: email !== null && {
      key: hashToken(`account ${email}`),
      bound: { limit: limits.SIGN_IN_FAILURES_PER_ACCOUNT, windowMs },
    },
    address: {
      key: hashToken(`address ${networkOf(ip)}`),
      bound: { limit: limits.SIGN_IN_FAILURES_PER_ADDRESS, windowMs },
    },
  };
}

async function refuseFlood({ db }: Deps, { account, address }: Keys): Promise<void> {
  const addressWait = await countAttempt(db, address.key, address.bound);
  const wait = addressWait ?? (account && (await countAttempt(db, account.key, account.bound)));
  if (wait === null || wait === false) return;
  if (addressWait === null) await takeBackAttempt(db, address.key);
  const message = "Too many attempts to sign in. Please wait before the next one.";
  throw new Refusal("rate_limited", { retryAfter: Math.ceil(wait / 1_000) }, message);
}
