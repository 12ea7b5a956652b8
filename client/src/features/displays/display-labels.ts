import type { DisplayInfo } from "../../../../shared/protocol/displays.ts";
import type { WallboardInfo } from "../../../../shared/protocol/wallboards.ts";
import { displaysMessages as messages } from "../../messages/en/displays.ts";
import { formatMoment } from "../../ui/numbers.ts";

/** A wallboard that a display can show. */
export type WallboardName = Pick<WallboardInfo, "id" | "name">;

/** The label of a display's status. */
export const statusLabels = {
  online: messages.online,
  stale: messages.stale,
  offline: messages.offline,
  pairing: messages.pairing,
  revoked: messages.revoked,
} as const satisfies Record<DisplayInfo["status"], () => string>;

const SECOND_MS = 1_000;
const NOW_MS = 4_000;

/** How old the values on the screen were at its last report. */
export function lagLabel(lagMs: number | null | undefined): string {
  if (lagMs === null || lagMs === undefined) return messages.noValues();
  return lagMs < NOW_MS
    ? messages.current()
    : messages.behind({ seconds: Math.round(lagMs / SECOND_MS) });
}

/** 1920 × 1080 · 48 MB, as far as known. */
export function machineLabel({ report }: DisplayInfo): string {
  if (!report) return messages.neverReported();
  const memory =
    report.memoryMb === null ? [] : [messages.memory({ megabytes: Math.round(report.memoryMb) })];
  return [`${report.width} × ${report.height}`, ...memory].join(" · ");
}

/** By whose rights it shows what it shows, and for how long: a display has no end, so its list is what is looked through. */
export function ownerLabel({ owner, createdAt }: DisplayInfo): string | null {
  if (owner?.name == null) return null;
  return messages.ownedSince({ owner: owner.name, since: formatMoment(createdAt) });
}

/** The names of a display's wallboards. */
export function wallboardsLabel(
  { boards, showing, rotationSeconds }: DisplayInfo,
  nameOf: (id: string) => string,
): string {
  if (showing !== null) return messages.onlyWallboard({ wallboard: nameOf(showing) });
  if (boards.length === 1) return boards.map(nameOf).join();
  return messages.rotating({ wallboards: boards.map(nameOf).join(", "), seconds: rotationSeconds });
}
