import { resolve } from "node:path";
import { execPath } from "node:process";

const root = resolve(import.meta.dirname, "../../..");

/** Before all browser tests: builds client/dist if it is stale, in the same way as `npm start`. */
export async function setup(): Promise<void> {
  const script = resolve(root, "server/bootstrap/ensure-client.mjs");
  const { ensureClient } = (await import(script)) as {
    ensureClient(root: string, node: string): Promise<void>;
  };
  await ensureClient(root, execPath);
}
