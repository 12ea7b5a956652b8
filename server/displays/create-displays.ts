import type { Subject } from "../../shared/policy/scope.ts";
import type {
  ClaimDisplayCall,
  DisplayInfo,
  DisplayProgram,
  DisplayReport,
  Pairing,
  PairingState,
  PatchDisplayCall,
} from "../../shared/protocol/displays.ts";
import type { Identity } from "../auth/identity.ts";
import { createOneTimeLinks } from "../auth/one-time-links.ts";
import type { Revocation } from "../auth/revocations.ts";
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
  type DisplayOrder,
  oneDisplay,
  orderDisplay,
  pairAgain,
  removeDisplay,
} from "./manage.ts";
import { beginPairing, checkPairing } from "./pairing.ts";

/** The service for displays. Built once; HTTP and socket share it. */
export interface Displays {
  /** The identity of a display's credential; null if it is invalid. Throws when the store is away. */
  authenticate: (token: string) => Promise<Identity | null>;
  /** A paired display by id, read from the database; null if there is none. */
  identify: (display: string) => Promise<Identity | null>;
  /** Displays were revoked or changed: listeners call `authenticate` again. */
  onRevoked: (revocation: Revocation) => void;
  pairing: {
    begin: (ip: string, former: string | null) => Promise<{ pairing: Pairing; secret: string }>;
    check: (secret: string | null) => Promise<PairingState & { token?: string }>;
  };
  /** A display reports its status and receives its program. */
  report: (identity: Identity, report: DisplayReport | null) => Promise<DisplayProgram>;
  list: (me: Subject) => Promise<DisplayInfo[]>;
  one: (me: Subject, id: string) => Promise<DisplayInfo>;
  claim: (me: Subject, call: ClaimDisplayCall) => Promise<DisplayInfo>;
  pairAgain: (me: Subject, id: string, code: string) => Promise<DisplayInfo>;
  change: (me: Subject, id: string, call: PatchDisplayCall) => Promise<DisplayInfo>;
  remove: (me: Subject, id: string) => Promise<void>;
  order: (me: Subject, id: string, order: DisplayOrder) => Promise<DisplayInfo>;
  /** An unpaired display, and a token for a link that makes a browser its screen, once. */
  issueLink: (display: { id: string; name: string; boards: string[] }) => Promise<string>;
  /** The credential for whoever followed such a link; null if it is invalid. */
  takeLink: (token: string) => Promise<string | null>;
  /** The status of a display, for notices; null if it was removed. */
  health: (id: string) => Promise<DisplayInfo | null>;
  /** Finds displays that have gone offline; run it every few seconds, on any server. */
  watch: () => Promise<void>;
  sweep: () => Promise<void>;
}

const DEMO_ROTATION_SECONDS = 30;

/** Composes the service; it has no timer and no connection of its own. */
export function createDisplays(deps: DisplayDeps): Displays {
  const { db, limits } = deps;
  const { authenticate, identify, onRevoked } = createDisplayAuthentication(deps);
  const links = createOneTimeLinks<string>();
  return {
    authenticate,
    identify,
    onRevoked,
    pairing: {
      begin: (ip, former) => beginPairing(deps, ip, former),
      check: (secret) => checkPairing(deps, secret),
    },
    async report({ display }, report) {
      if (!display) throw new Error("Only a display reports.");
      if (report) await noteReport(db, display.id, report);
      else await deletePairingsOf(db, display.id);
      deps.onReport();
      return { ...display, now: new Date().toISOString() };
    },
    list: (me) => allDisplays(deps, me),
    one: (me, id) => oneDisplay(deps, me, id),
    claim: (me, call) => claimDisplay(deps, me, call),
    pairAgain: (me, id, code) => pairAgain(deps, me, id, code),
    change: (me, id, call) => changeDisplay(deps, me, id, call),
    remove: (me, id) => removeDisplay(deps, me, id),
    order: (me, id, order) => orderDisplay(deps, me, id, order),
    async issueLink({ id, name, boards }) {
      if (!(await findDisplay(db, id))) {
        await insertDisplay(db, { id, name, boards, rotation_seconds: DEMO_ROTATION_SECONDS });
      }
      return links.issue(id);
    },
    async takeLink(link) {
      const display = links.take(link);
      const token = newToken();
      return display && (await setDisplayToken(db, display, hashToken(token))) ? token : null;
    },
    async health(id) {
      const row = await findDisplay(db, id);
      return row && describeDisplay(row, deps);
    },
    watch: () => markDark(db, limits.DISPLAY_DARK_MS),
    sweep: () => deleteOldPairings(db, limits.PAIRING_TTL_MS),
  };
}
