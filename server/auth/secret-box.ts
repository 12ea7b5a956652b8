import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/**
 * Stores secrets that must be read again, so that a hash is not enough: those of authenticator apps and webhooks. With a
 * key they are encrypted (AES-256-GCM, bound to their owner, so that a row can't be moved to another one). Without one
 * they are stored in plain text, which can still be read once there is a key.
 */
export type SecretBox = ReturnType<typeof createSecretBox>;

const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const PLAIN = "plain:";
const ENCRYPTED_FORM = "gcm1:";

/** `key` is any text of enough entropy; the encryption key is derived from it. */
export function createSecretBox(key: string | undefined) {
  const derived = key && Buffer.from(hkdfSync("sha256", key, "", "watchfloor secrets", KEY_BYTES));
  return {
    encrypt(secret: string, owner: string): string {
      if (!derived) return PLAIN + secret;
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, derived, nonce).setAAD(Buffer.from(owner));
      const text = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
      return (
        ENCRYPTED_FORM + Buffer.concat([nonce, cipher.getAuthTag(), text]).toString("base64url")
      );
    },
    /** Null if it was encrypted with another key, or for another owner. */
    decrypt(encrypted: string, owner: string): string | null {
      if (encrypted.startsWith(PLAIN)) return encrypted.slice(PLAIN.length);
      if (!derived || !encrypted.startsWith(ENCRYPTED_FORM)) return null;
      const bytes = Buffer.from(encrypted.slice(ENCRYPTED_FORM.length), "base64url");
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const text = bytes.subarray(NONCE_BYTES + TAG_BYTES);
      try {
        const decipher = createDecipheriv(CIPHER, derived, nonce)
          .setAAD(Buffer.from(owner))
          .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        return Buffer.concat([decipher.update(text), decipher.final()]).toString("utf8");
      } catch {
        return null;
      }
    },
  };
}
