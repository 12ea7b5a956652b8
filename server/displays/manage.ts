import { randomUUID } from "node:crypto";
import { explain } from "../../shared/error-texts/explain.ts";
import type { Subject } from "../../shared/policy/scope.ts";
import type {
  ClaimDisplayCall,
  DisplayInfo,
  PatchDisplayCall,
} from "../../shared/protocol/displays.ts";
import { found, Refusal } from "../../shared/protocol/errors.ts";
import { hasRight, requireRight } from "../auth/require-right.ts";
import { recordEvent } from "../auth/security-log.ts";
import { SIGN_IN_WINDOW_MS, tooMany } from "../auth/sign-in-throttle.ts";
import { hashToken } from "../auth/tokens.ts";
import type { Db } from "../store/database.ts";
import {
  deleteDisplay,
  findDisplay,
  insertDisplay,
  listDisplays,
  requestIdentify,
  requestReload,
  revokeDisplay,
  setDisplayOwner,
  updateDisplay,
} from "../store/displays/displays.ts";
import { claimPairing } from "../store/displays/pairings.ts";
import { countAttempt, uncountAttempt } from "../store/users/sign-in-attempts.ts";
import type { Displays } from "./create-displays.ts";
import { describeDisplay } from "./describe-display.ts";
import { PAIRING_TTL_MS } from "./pairing.ts";

/** Wrong pairing codes of one user in SIGN_IN_WINDOW_MS. */
const PAIRING_CLAIMS_PER_PERSON = 20;

/**
 * The operator's side of displays, each call authorised by the caller's rights. Users who design wallboards may
 * list displays, to try a wallboard in their size; the right `displays` manages them, and assigns what its holder
 * may read.
 */

const DEFAULT_ROTATION_SECONDS = 30;

/** By name, with the status of each. */
export async function allDisplays(displays: Displays, me: Subject): Promise<DisplayInfo[]> {
  requireDisplayAccess(me);
  return (await listDisplays(displays.db)).map((row) => describeDisplay(row, displays));
}

/** Refuses a missing one. */
export async function oneDisplay(
  displays: Displays,
  me: Subject,
  id: string,
): Promise<DisplayInfo> {
  requireDisplayAccess(me);
  return describeDisplay(found(await findDisplay(displays.db, id)), displays);
}

/** Pairs the screen that shows the code; it fetches its credential by itself. */
export async function claimDisplay(
  displays: Displays,
  me: Subject,
  call: ClaimDisplayCall,
): Promise<DisplayInfo> {
  requireRight(me, "displays");
  const id = randomUUID();
  const { code, name, boards, rotationSeconds: rotation_seconds = DEFAULT_ROTATION_SECONDS } = call;
  await displays.requireWallboards(me, boards);
  await claim(displays, me, code, id, async (tx) => {
    await insertDisplay(tx, { id, name, boards, rotation_seconds });
    await setDisplayOwner(tx, id, me);
    await note(tx, me, "display_paired", { id, name });
  });
  return oneDisplay(displays, me, id);
}

/** The screen that shows the code replaces the display's former screen, whose credential becomes invalid. */
export async function pairAgain(
  displays: Displays,
  me: Subject,
  id: string,
  code: string,
): Promise<DisplayInfo> {
  requireRight(me, "displays");
  const display = await oneDisplay(displays, me, id);
  await displays.requireWallboards(me, display.boards);
  await claim(displays, me, code, id, async (tx) => {
    if (!(await revokeDisplay(tx, id))) throw new Refusal("not_found");
    await setDisplayOwner(tx, id, me);
    await note(tx, me, "display_paired", display);
  });
  displays.notifier.changed("display", id);
  return oneDisplay(displays, me, id);
}

/**
 * Makes the caller the owner of a display, which goes on with their rights: also after its owner has left, whose rights bound it until
 * then.
 */
export async function takeOverDisplay(
  displays: Displays,
  me: Subject,
  id: string,
): Promise<DisplayInfo> {
  requireRight(me, "displays");
  const display = await oneDisplay(displays, me, id);
  await displays.requireWallboards(me, display.boards);
  await runDisplayAction(displays, id, async (tx) => {
    await note(tx, me, "display_taken_over", display);
    return setDisplayOwner(tx, id, me);
  });
  return oneDisplay(displays, me, id);
}

/** Merges the change into the display, which follows at once. */
export async function changeDisplay(
  displays: Displays,
  me: Subject,
  id: string,
  { rotationSeconds, ...set }: PatchDisplayCall,
): Promise<DisplayInfo> {
  requireRight(me, "displays");
  const { boards } = await oneDisplay(displays, me, id);
  const wallboardIds = [...(set.boards ?? []), ...(set.showing ? [set.showing] : [])];
  await displays.requireWallboards(
    me,
    wallboardIds.filter((wallboard) => !boards.includes(wallboard)),
  );
  const changes = {
    ...set,
    ...(rotationSeconds === undefined ? {} : { rotation_seconds: rotationSeconds }),
  };
  await runDisplayAction(displays, id, (tx) => updateDisplay(tx, id, changes));
  return oneDisplay(displays, me, id);
}

/** Removes the display; its screen shows nothing any more. */
export async function removeDisplay(displays: Displays, me: Subject, id: string): Promise<void> {
  requireRight(me, "displays");
  const display = await oneDisplay(displays, me, id);
  await runDisplayAction(displays, id, async (tx) => {
    await note(tx, me, "display_removed", display);
    return deleteDisplay(tx, id);
  });
}

/** Commands for a display besides changing it. */
type DisplayOrder = "identify" | "reload" | "revoke";

/** Sends a command to the display, which follows at once or when it is back. */
export async function orderDisplay(
  displays: Displays,
  me: Subject,
  id: string,
  order: DisplayOrder,
): Promise<DisplayInfo> {
  requireRight(me, "displays");
  const display = await oneDisplay(displays, me, id);
  const orders = {
    identify: (tx: Db) => requestIdentify(tx, id, displays.limits.DISPLAY_IDENTIFY_MS),
    reload: (tx: Db) => requestReload(tx, id),
    async revoke(tx: Db) {
      await note(tx, me, "display_revoked", display);
      return revokeDisplay(tx, id);
    },
  };
  await runDisplayAction(displays, id, orders[order]);
  return oneDisplay(displays, me, id);
}

/** Recorded as a security event: a display sees what its wallboards show. */
function note(
  db: Db,
  me: Subject,
  kind: "display_paired" | "display_taken_over" | "display_revoked" | "display_removed",
  { id, name }: Pick<DisplayInfo, "id" | "name">,
): Promise<void> {
  return recordEvent(db, { kind, actor: me.id, subject: id, subjectName: name });
}

/**
 * Runs the action and records it, or neither. Announced here at once; the other servers are notified by the
 * database.
 */
async function runDisplayAction(
  { db, notifier }: Displays,
  id: string,
  action: (tx: Db) => Promise<boolean>,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (!(await action(tx))) throw new Refusal("not_found");
  });
  notifier.changed("display", id);
}

async function claim(
  { db }: Displays,
  me: Subject,
  code: string,
  id: string,
  prepare: (tx: Db) => Promise<void>,
): Promise<void> {
  const key = hashToken(`claim ${me.id}`);
  const bound = { limit: PAIRING_CLAIMS_PER_PERSON, windowMs: SIGN_IN_WINDOW_MS };
  const wait = await countAttempt(db, key, bound);
  if (wait !== null) throw tooMany(wait, explain("display.tooManyClaims"));
  await db.transaction().execute(async (tx) => {
    await prepare(tx);
    if (await claimPairing(tx, hashToken(code), id, PAIRING_TTL_MS)) return;
    throw new Refusal("not_found", { field: "code" }, explain("display.unknownCode"));
  });
  await uncountAttempt(db, key);
}

function requireDisplayAccess(me: Subject): void {
  if (!hasRight(me, "wallboards")) requireRight(me, "displays");
}
