import type { DisplayInfo } from "../../../../shared/protocol/displays.ts";

/** What is said of a display's state, and with which shape. */
export const statusLabels = {
  online: "Online",
  stale: "Behind",
  offline: "Dark",
  pairing: "Pairing",
  revoked: "Revoked",
} as const satisfies Record<DisplayInfo["status"], string>;

const SECOND_MS = 1_000;
const NOW_MS = 4_000;

/** How old the figures on the screen were when it last told. */
export function lagLabel(lagMs: number | null | undefined): string {
  if (lagMs === null || lagMs === undefined) return "no figures";
  return lagMs < NOW_MS ? "correct as of now" : `${Math.round(lagMs / SECOND_MS)} s behind`;
}

/** 1920 × 1080 · 48 MB, as far as it is known. */
export function machineLabel({ report }: DisplayInfo): string {
  if (!report) return "Never reported";
  const memory = report.memoryMb === null ? [] : [`${Math.round(report.memoryMb)} MB`];
  return [`${report.width} × ${report.height}`, ...memory].join(" · ");
}

/** The boards of a display by name; one that is gone is named as such. */
export function boardsLabel(
  { boards, showing, rotationSeconds }: DisplayInfo,
  nameOf: (id: string) => string,
): string {
  if (showing !== null) return `Only ${nameOf(showing)}`;
  if (boards.length === 1) return boards.map(nameOf).join();
  return `${boards.map(nameOf).join(", ")} · ${rotationSeconds} s each`;
}
