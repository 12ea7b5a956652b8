import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

/** A device with a passkey, for tests: it signs anything, also what no honest device and no browser would. */

/** What a forger may replace. */
export interface Forgery {
  challenge?: string;
  origin?: string;
  /** The host that the device assumes. */
  host?: string;
  /** Flags of the device: user present (1), user verified (4). */
  flags?: number;
  counter?: number;
  type?: string;
  /** The id of a passkey, besides the device's own. */
  id?: string;
  /** Signs instead of the device's own key. */
  key?: KeyObject;
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const HAS_KEY = 0x40;

export class Authenticator {
  readonly id: string;
  readonly #origin: string;
  readonly #keys = generateKeyPairSync("ec", { namedCurve: "P-256" });

  constructor(origin: string, id = randomBytes(16).toString("base64url")) {
    this.#origin = origin;
    this.id = id;
  }

  get key(): KeyObject {
    return this.#keys.privateKey;
  }

  /** The answer to a challenge for a new passkey. */
  register(forged: Forgery & { challenge: string }) {
    const { id = this.id } = forged;
    const rawId = Buffer.from(id, "base64url");
    const length = Buffer.alloc(2);
    length.writeUInt16BE(rawId.length);
    const data = Buffer.concat([
      this.#authData({ ...forged, flags: (forged.flags ?? PRESENT | VERIFIED) | HAS_KEY }),
      Buffer.alloc(16),
      length,
      rawId,
      this.#publicKey(),
    ]);
    // {fmt: "none", attStmt: {}, authData} in CBOR
    const head = Buffer.from("a363666d74646e6f6e656761747453746d74a068617574684461746159", "hex");
    const size = Buffer.alloc(2);
    size.writeUInt16BE(data.length);
    const attestationObject = Buffer.concat([head, size, data]).toString("base64url");
    const clientDataJSON = this.#clientData(forged, "webauthn.create").toString("base64url");
    return answer(id, { clientDataJSON, attestationObject });
  }

  /** The answer to a sign-in challenge. */
  signIn(forged: Forgery & { challenge: string }) {
    const { id = this.id, key = this.key } = forged;
    const authenticatorData = this.#authData(forged);
    const clientData = this.#clientData(forged, "webauthn.get");
    const hash = createHash("sha256").update(clientData).digest();
    const signature = sign("sha256", Buffer.concat([authenticatorData, hash]), key);
    return answer(id, {
      clientDataJSON: clientData.toString("base64url"),
      authenticatorData: authenticatorData.toString("base64url"),
      signature: signature.toString("base64url"),
    });
  }

  #authData({ host, flags = PRESENT | VERIFIED, counter = 0 }: Forgery): Buffer {
    const site = host ?? new URL(this.#origin).hostname;
    const tail = Buffer.alloc(5);
    tail.writeUInt8(flags);
    tail.writeUInt32BE(counter, 1);
    return Buffer.concat([createHash("sha256").update(site).digest(), tail]);
  }

  #clientData({ challenge, origin = this.#origin, type }: Forgery, honest: string): Buffer {
    return Buffer.from(JSON.stringify({ type: type ?? honest, challenge, origin }));
  }

  /** As COSE: {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y} in CBOR. */
  #publicKey(): Buffer {
    const { x = "", y = "" } = this.#keys.publicKey.export({ format: "jwk" });
    const [first, second] = [x, y].map((part) => Buffer.from(part, "base64url"));
    return Buffer.concat([
      Buffer.from("a5010203262001215820", "hex"),
      first as Buffer,
      Buffer.from("225820", "hex"),
      second as Buffer,
    ]);
  }
}

function answer(id: string, response: Record<string, string>) {
  return { id, rawId: id, type: "public-key", response, clientExtensionResults: {} };
}
