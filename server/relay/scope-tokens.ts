import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { Position } from "../../shared/protocol/position.ts";

/** The session and the table of a position. */
interface TokenOwner {
  /** The session with the version of its rights (`Identity.holder`). */
  holder: string;
  table: string;
}

/** Since which position the session has followed a table through a scope. */
interface ScopeStart {
  scopeKey: string;
  start: Position;
}

/**
 * The `scope` of a subscription on the wire: the scope's key, and from which position on the session has
 * followed the table through it, signed for that session. A client can request a replay from there and not
 * earlier, because nothing earlier could have been sent live. All servers of an installation share the key,
 * so a token outlives a restart and is valid on every server. It is bound to the version of the rights as
 * well, so a scope that was lost and regained does not cover the time between.
 */
export class ScopeTokens {
  readonly #key: Buffer;

  /** `secret` is shared by all servers; the signing key is derived from it. */
  constructor(secret: string | Buffer) {
    this.#key = Buffer.from(hkdfSync("sha256", secret, "", "watchfloor positions", KEY_BYTES));
  }

  issue({ scopeKey, start }: ScopeStart, owner: TokenOwner): string {
    const body = `${scopeKey}.${start.epoch}.${start.seq}`;
    return `${body}.${this.#sign(body, owner)}`;
  }

  /** Null if this installation did not issue it to this owner. */
  read(token: string, owner: TokenOwner): ScopeStart | null {
    const parts = /^([\w-]+)\.([\w-]+)\.(\d{1,15})\.([\w-]+)$/.exec(token);
    if (!parts) return null;
    const [, scopeKey = "", epoch = "", seq, signature = ""] = parts;
    const expected = Buffer.from(this.#sign(`${scopeKey}.${epoch}.${seq}`, owner));
    const given = Buffer.from(signature);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
    return { scopeKey, start: { epoch, seq: Number(seq) } };
  }

  #sign(body: string, { holder, table }: TokenOwner): string {
    const text = JSON.stringify([body, holder, table]);
    return createHmac("sha256", this.#key)
      .update(text)
      .digest("base64url")
      .slice(0, SIGNATURE_LENGTH);
  }
}

const KEY_BYTES = 32;
/** 132 bits. */
const SIGNATURE_LENGTH = 22;
