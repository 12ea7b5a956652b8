import type { Limits } from "../../shared/limits.ts";
import type { Subject } from "../../shared/policy/scope.ts";
import type { DisplayInfo, DisplayReport } from "../../shared/protocol/displays.ts";
import type { DisplayProgram } from "../../shared/protocol/signals.ts";
import type { Identity } from "../auth/identity.ts";
import { createOneTimeLinks } from "../auth/one-time-links.ts";
import { hashToken, newToken } from "../auth/tokens.ts";
import type { ChangeNotifier } from "../store/change-notifier.ts";
import type { Db } from "../store/database.ts";
import { findDisplay, insertDisplay, noteReport } from "../store/displays/displays.ts";
import { deletePairingsOf, setDisplayToken } from "../store/displays/pairings.ts";
import { createDisplayAuthentication } from "./authenticate-display.ts";
import { describeDisplay } from "./describe-display.ts";

/** What the functions of this folder work on. HTTP and socket share it. */
export type Displays = ReturnType<typeof createDisplays>;

const DEMO_ROTATION_SECONDS = 30;

/** Built once; it has no timer and no connection of its own. */
export function createDisplays(parts: {
  db: Db;
  limits: Limits;
  /** Refuses wallboards that a user may not assign to a display. */
  requireWallboards: (me: Subject, wallboards: readonly string[]) => Promise<void>;
  /** The build of the player that the server serves. */
  build: () => string;
  notifier: ChangeNotifier;
}) {
  return { ...parts, ...createDisplayAuthentication(parts), links: createOneTimeLinks<string>() };
}

/** A display reports its status and receives its program. */
export async function reportDisplay(
  { db, notifier }: Displays,
  { display }: Identity,
  report: DisplayReport | null,
): Promise<DisplayProgram> {
  if (!display) throw new Error("Only a display reports.");
  if (report) await noteReport(db, display.id, report);
  else await deletePairingsOf(db, display.id);
  notifier.changed("displayReport");
  return { ...display, now: new Date().toISOString() };
}

/** An unpaired display, and a token for a link that makes a browser its screen, once. */
export async function issueDisplayLink(
  { db, links }: Displays,
  { id, name, boards }: { id: string; name: string; boards: string[] },
): Promise<string> {
  if (!(await findDisplay(db, id))) {
    await insertDisplay(db, { id, name, boards, rotation_seconds: DEMO_ROTATION_SECONDS });
  }
  return links.issue(id);
}

/** The credential for whoever followed such a link; null if it is invalid. */
export async function takeDisplayLink(
  { db, links }: Displays,
  link: string,
): Promise<string | null> {
  const display = links.take(link);
  const token = newToken();
  return display && (await setDisplayToken(db, display, hashToken(token))) ? token : null;
}

/** The status of a display, for notices; null if it was removed. */
export async function displayHealth(displays: Displays, id: string): Promise<DisplayInfo | null> {
  const row = await findDisplay(displays.db, id);
  return row && describeDisplay(row, displays);
}
