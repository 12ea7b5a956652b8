import type { Limits } from "../../shared/limits.ts";
import type { Subject } from "../../shared/policy/scope.ts";
import type { Revocations } from "../auth/revocations.ts";
import type { Db } from "../store/database.ts";

/** What the parts of this module need of the others. */
export interface DisplayDeps {
  db: Db;
  limits: Pick<
    Limits,
    | "DISPLAY_REPORT_MS"
    | "DISPLAY_STALE_MS"
    | "DISPLAY_DARK_MS"
    | "DISPLAY_IDENTIFY_MS"
    | "PAIRING_TTL_MS"
    | "PAIRING_CODES_PER_ADDRESS"
    | "PAIRING_CLAIMS_PER_PERSON"
    | "SIGN_IN_WINDOW_MS"
  >;
  /** Refuses boards that a user may not assign to a display. */
  requireBoards: (me: Subject, boards: readonly string[]) => Promise<void>;
  /** The build of the player that the server serves. */
  build: () => string;
  announce: Revocations["announce"];
  /** A display has reported. */
  onReport: () => void;
}
