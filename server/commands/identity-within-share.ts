import { setTimeout as sleep } from "node:timers/promises";
import type { Identity } from "../auth/identity.ts";
import type { Commands } from "./create-commands.ts";

/** How often a waiting caller is authenticated again: one who is signed out meanwhile ends within a second. */
const CHECK_MS = 250;

/**
 * The caller as they are once they are within their share of the server's time, and whether others are active. Throws what
 * `current` throws, such as `session_ended`, also while they wait.
 */
export async function identityWithinShare(
  commands: Pick<Commands, "untilWithinShare">,
  current: () => Promise<Identity>,
): Promise<{ identity: Identity; isShared: boolean }> {
  const turn = commands.untilWithinShare(await current());
  while ((await Promise.race([turn, sleep(CHECK_MS, null)])) === null) await current();
  return { identity: await current(), isShared: await turn };
}
