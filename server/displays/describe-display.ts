import type { DisplayInfo } from "../../shared/protocol/displays.ts";
import type { DisplayProgram, DisplayStatus } from "../../shared/protocol/signals.ts";
import type { DisplayRow, ReportedDisplayRow } from "../store/displays/displays.ts";
import type { Displays } from "./create-displays.ts";

/** How often a display reports its status. */
const DISPLAY_REPORT_MS = 10_000;

/** Reports that may be late before a display counts as stale. */
const LATE_REPORTS = 2;

/** A display as the console sees it. */
export function describeDisplay(row: ReportedDisplayRow, displays: Displays): DisplayInfo {
  return {
    id: row.id,
    name: row.name,
    boards: row.boards,
    rotationSeconds: row.rotation_seconds,
    showing: pinned(row),
    muted: row.muted,
    dim: row.dim,
    zone: row.zone,
    owner: row.owner === null ? null : { id: row.owner, name: row.owner_name },
    ownerLeft: row.owner !== null && !row.owner_active,
    status: statusOf(row, displays),
    lastSeen: row.seen_at,
    upToDate: row.report && row.report.build === displays.build(),
    report: row.report,
    createdAt: row.created_at,
  };
}

function statusOf(row: ReportedDisplayRow, { limits }: Displays): DisplayStatus {
  if (row.revoked_at) return "revoked";
  if (!row.has_token) return "pairing";
  const silence = row.seen_ago;
  if (silence === null || silence > limits.DISPLAY_DARK_MS) return "offline";
  if (silence > DISPLAY_REPORT_MS * LATE_REPORTS) return "stale";
  const lag = row.report?.lagMs ?? null;
  return lag === null || lag > DISPLAY_REPORT_MS ? "stale" : "online";
}

/** The only wallboard to show; null if the display no longer has it, and all of its wallboards take turns. */
function pinned({ showing, boards }: Pick<DisplayRow, "showing" | "boards">): string | null {
  return showing !== null && boards.includes(showing) ? showing : null;
}

/** A display's program, as it is sent. */
export function programOf(row: DisplayRow, build: string): DisplayProgram {
  return {
    id: row.id,
    name: row.name,
    boards: row.boards,
    rotationSeconds: row.rotation_seconds,
    showing: pinned(row),
    muted: row.muted,
    dim: row.dim,
    zone: row.zone,
    identifyUntil: row.identify_until,
    reloadAskedAt: row.reload_asked_at,
    build,
    now: new Date().toISOString(),
  };
}
