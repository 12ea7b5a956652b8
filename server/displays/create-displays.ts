import { bindAll } from "../../shared/bind-all.ts";
import type { DisplayProgram, DisplayReport } from "../../shared/protocol/displays.ts";
import type { Identity } from "../auth/identity.ts";
import { createOneTimeLinks } from "../auth/one-time-links.ts";
import { hashToken, newToken } from "../auth/tokens.ts";
import { findDisplay, insertDisplay, markDark, noteReport } from "../store/displays/displays.ts";
import {
  deleteOldPairings,
  deletePairingsOf,
  setDisplayToken,
} from "../store/displays/pairings.ts";
import { createDisplayAuthentication } from "./authenticate-display.ts";
import { describeDisplay } from "./describe-display.ts";
import type { DisplayDeps } from "./display-deps.ts";
import {
  allDisplays,
  changeDisplay,
  claimDisplay,
  oneDisplay,
  orderDisplay,
  pairAgain,
  removeDisplay,
} from "./manage.ts";
import { beginPairing, checkPairing } from "./pairing.ts";

/** The service for displays. Built once; HTTP and socket share it. */
export type Displays = ReturnType<typeof createDisplays>;

const DEMO_ROTATION_SECONDS = 30;

/** Composes the service; it has no timer and no connection of its own. */
export function createDisplays(deps: DisplayDeps) {
  const { db, limits } = deps;
  const { authenticate, identify, onRevoked } = createDisplayAuthentication(deps);
  const links = createOneTimeLinks<string>();
  return {
    /** The identity of a display's credential; null if it is invalid. Throws when the store is away. */
    authenticate,
    /** A paired display by id, read from the database; null if there is none. */
    identify,
    /** Displays were revoked or changed: listeners call `authenticate` again. */
    onRevoked,
    pairing: bindAll(deps, { begin: beginPairing, check: checkPairing }),
    /** A display reports its status and receives its program. */
    async report({ display }: Identity, report: DisplayReport | null): Promise<DisplayProgram> {
      if (!display) throw new Error("Only a display reports.");
      if (report) await noteReport(db, display.id, report);
      else await deletePairingsOf(db, display.id);
      deps.onReport();
      return { ...display, now: new Date().toISOString() };
    },
    ...bindAll(deps, {
      list: allDisplays,
      one: oneDisplay,
      claim: claimDisplay,
      pairAgain,
      change: changeDisplay,
      remove: removeDisplay,
      order: orderDisplay,
    }),
    /** An unpaired display, and a token for a link that makes a browser its screen, once. */
    async issueLink({ id, name, boards }: { id: string; name: string; boards: string[] }) {
      if (!(await findDisplay(db, id))) {
        await insertDisplay(db, { id, name, boards, rotation_seconds: DEMO_ROTATION_SECONDS });
      }
      return links.issue(id);
    },
    /** The credential for whoever followed such a link; null if it is invalid. */
    async takeLink(link: string): Promise<string | null> {
      const display = links.take(link);
      const token = newToken();
      return display && (await setDisplayToken(db, display, hashToken(token))) ? token : null;
    },
    /** The status of a display, for notices; null if it was removed. */
    async health(id: string) {
      const row = await findDisplay(db, id);
      return row && describeDisplay(row, deps);
    },
    /** Finds displays that have gone offline; run it every few seconds, on any server. */
    watch: () => markDark(db, limits.DISPLAY_DARK_MS),
    sweep: () => deleteOldPairings(db, limits.PAIRING_TTL_MS),
  };
}
