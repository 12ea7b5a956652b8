import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { memoize } from "../../shared/memoize.ts";
import { bounded } from "../load/budget.ts";

/**
 * Passwords by argon2id. The stored text contains its own parameters (PHC form), so that old passwords stay
 * valid after raising them. Hashing runs on libuv's threads, two at a time: the others stay free for files
 * and names.
 */

/** OWASP's recommendation for argon2id. No setting changes it; tests do, in their own processes, to save processor time. */
export const passwordCost = { memory: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const AT_ONCE = 2;
const WAITING_MAX = 200;

const derive = promisify(argon2);
/** One queue for the whole process, because libuv's threads are. */
const inTurn = bounded(AT_ONCE, WAITING_MAX);

interface Parameters {
  memory: number;
  passes: number;
  parallelism: number;
  nonce: Buffer;
  tagLength: number;
}

const base64 = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");

/** The text to store for a password. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(SALT_BYTES);
  const hash = await run(password, { ...passwordCost, nonce, tagLength: HASH_BYTES });
  return `${prefix(passwordCost)}$${base64(nonce)}$${base64(hash)}`;
}

/**
 * Whether a password is the stored one. Takes as long, and is false, if nothing is stored, so that the time
 * does not reveal which accounts exist.
 */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const parsed = parse(stored ?? (await dummyHash()));
  if (!parsed) return false;
  const hash = await run(password, parsed.parameters);
  return timingSafeEqual(hash, parsed.hash) && stored !== null;
}

/** Whether a stored text was made with other parameters than the current ones. */
export function isOutdated(stored: string): boolean {
  return !stored.startsWith(`${prefix(passwordCost)}$`);
}

const dummyHash = memoize(() => hashPassword(randomBytes(SALT_BYTES).toString("hex")));

function prefix(p: Pick<Parameters, "memory" | "passes" | "parallelism">): string {
  return `$argon2id$v=19$m=${p.memory},t=${p.passes},p=${p.parallelism}`;
}

function run(password: string, parameters: Parameters): Promise<Buffer> {
  const message = password.normalize("NFC");
  return inTurn(async () => derive("argon2id", { message, ...parameters }));
}

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

function parse(stored: string): { parameters: Parameters; hash: Buffer } | null {
  const found = phc.exec(stored);
  if (!found) return null;
  const [, memory, passes, parallelism, nonce, tag] = found;
  const hash = Buffer.from(tag ?? "", "base64");
  return {
    hash,
    parameters: {
      memory: Number(memory),
      passes: Number(passes),
      parallelism: Number(parallelism),
      nonce: Buffer.from(nonce ?? "", "base64"),
      tagLength: hash.length,
    },
  };
}
