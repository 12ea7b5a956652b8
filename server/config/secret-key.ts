import { randomBytes } from "node:crypto";
import { chmod, mkdir, open, readFile, rename } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Config, ConfigError } from "./config.ts";

/**
 * The key that stored secrets are encrypted with: that of the settings or, beside the embedded database, one that the first start makes,
 * in a file of DATA_DIR. The file is not in the database and so in no backup: who finds a backup, or a copy of the database, reads no
 * secret. Servers with a Postgres of their own may be several and have no folder in common: theirs must be set.
 */

const KEY_BYTES = 33;
export const KEY_MIN_CHARACTERS = 32;

type KeySettings = Pick<Config, "secretKey" | "databaseUrl" | "dataDir">;

/** Where the key is where the settings name none; null with a Postgres of one's own. */
export function secretKeyFile({
  databaseUrl,
  dataDir,
}: Pick<Config, "databaseUrl" | "dataDir">): string | null {
  return databaseUrl === undefined ? join(resolve(dataDir), "secret-key") : null;
}

/** The key in the file; undefined if there is no such file. Throws a ConfigError if it holds none and the settings name none. */
export async function readKeyFile(config: KeySettings): Promise<string | undefined> {
  const file = secretKeyFile(config);
  if (file === null) return undefined;
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new ConfigError(`The secret key (${file}) can't be read (${code}).`);
  }
  const key = text.trim();
  if (key.length >= KEY_MIN_CHARACTERS) return key;
  // Nothing was ever encrypted with one that is too short, so the settings' key needs no other.
  if (config.secretKey !== undefined) return undefined;
  throw new ConfigError(
    `The secret key (${file}) has fewer than ${KEY_MIN_CHARACTERS} characters. Put the former key there, or set WATCHFLOOR_SECRET_KEY to it; without it, remove the file: a new key is made.`,
  );
}

/** The settings with the key that is used, of the settings or of the file. */
export async function withStoredKey<T extends KeySettings>(config: T): Promise<T> {
  return { ...config, secretKey: config.secretKey ?? (await readKeyFile(config)) };
}

/**
 * The same for a server that starts, which makes the key if there is none. It is on the disk before anything is encrypted with it, so that
 * no failure of power loses it alone.
 */
export async function withSecretKey(config: Config): Promise<Config> {
  const known = await withStoredKey(config);
  const file = secretKeyFile(config);
  if (known.secretKey !== undefined || file === null) return known;
  const secretKey = randomBytes(KEY_BYTES).toString("base64");
  await mkdir(resolve(config.dataDir), { recursive: true });
  const handle = await open(`${file}.new`, "w", 0o600);
  try {
    await chmod(`${file}.new`, 0o600);
    await handle.writeFile(`${secretKey}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${file}.new`, file);
  if (process.platform !== "win32") {
    const folder = await open(resolve(config.dataDir));
    await folder.sync().finally(() => folder.close());
  }
  return { ...config, secretKey };
}
