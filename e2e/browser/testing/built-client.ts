import { resolve } from "node:path";
import { execPath } from "node:process";

const root = resolve(import.meta.dirname, "../../..");

/** Before all browser tests: makes client/dist what the source says, by the same door as `npm start`. */
export async function setup(): Promise<void> {
  const script = resolve(root, "server/bootstrap/ensure-client.mjs");
  const { ensureClient } = (await import(script)) as {
    ensureClient(root: string, node: string): Promise<void>;
  };
  await ensureClient(root, execPath);
}
