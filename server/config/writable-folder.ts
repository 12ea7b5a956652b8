import { access, constants, mkdir } from "node:fs/promises";
import { ConfigError } from "./config.ts";

/** Creates the folder that a variable names; throws what the operator must know if it can't be written to. */
export async function requireWritableFolder(variable: string, folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.W_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(`${variable} (${folder}) can't be written to (${code}).`);
  }
}
