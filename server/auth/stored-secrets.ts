import type { Db } from "../store/database.ts";
import {
  listEncrypted,
  listStoredSecrets,
  replaceStoredSecret,
  type StoredSecret,
} from "../store/stored-secrets.ts";
import { createSecretBox } from "./secret-box.ts";

/**
 * Encrypts with the key, if there is one, what is stored in plain text, because there was none before, or was encrypted with a former
 * one. Returns how many. Runs at each start, before anything reads a secret.
 */
export async function encryptStoredSecrets(
  db: Db,
  key: string | undefined,
  former: string | undefined,
): Promise<number> {
  if (key === undefined) return 0;
  const [box, before] = [createSecretBox(key), createSecretBox(former)];
  const isChanged = former !== undefined && former !== key;
  let count = 0;
  for (const stored of await listStoredSecrets(db, isChanged ? "all" : "plain")) {
    const { secret, owner } = stored;
    const plain = before.decrypt(secret, owner);
    if (plain === null) continue;
    await replaceStoredSecret(db, stored, box.encrypt(plain, owner));
    count += 1;
  }
  return count;
}

/** What has to be entered again, because its secret was encrypted with another key; null if there is nothing. */
export async function unreadableSecrets(db: Db, key: string | undefined): Promise<string | null> {
  const box = createSecretBox(key);
  const lost = (await listEncrypted(db)).filter(
    ({ secret, owner }) => box.decrypt(secret, owner) === null,
  );
  const of = (place: StoredSecret["place"]) => lost.filter((one) => one.place === place);
  const names = (place: StoredSecret["place"]) =>
    of(place)
      .map(({ name }) => `“${name}”`)
      .join(", ");
  const [apps, webhooks, providers] = [of("totp").length, names("webhook"), names("provider")];
  const parts = [
    ...(apps > 0 ? [`the authenticator apps of ${apps} ${apps === 1 ? "user" : "users"}`] : []),
    ...(webhooks ? [`the secrets of the webhooks ${webhooks}`] : []),
    ...(providers ? [`the client secrets of the providers ${providers}`] : []),
  ];
  return parts.length > 0 ? parts.join(", ") : null;
}
