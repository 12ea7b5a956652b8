import type { Age } from "../../../shared/protocol/freshness.ts";
import { tilesMessages as messages } from "../messages/en/tiles.ts";
import { lengthText } from "./length-text.ts";
import { timeText, zonedText } from "./tile-text.ts";

const DAY_MS = 86_400_000;

/** Describes how fresh values are; outdated values with their time. */
export function freshnessText(
  { freshness, ageMs }: Age,
  asOf: number | null,
  isConnected: boolean,
  zone: string,
): string {
  if (freshness === "live") return messages.current();
  if (freshness === "behind") return messages.behind({ seconds: Math.round(ageMs / 1_000) });
  const what = isConnected ? messages.serverDelayed() : messages.connectionLost();
  if (asOf === null) return isConnected ? messages.noValues() : what;
  return messages.olderValues({
    problem: what,
    age: lengthText(ageMs),
    time: timeOf(asOf, ageMs, zone),
  });
}

/** Includes the day if it may not be today. */
function timeOf(asOf: number, ageMs: number, zone: string): string {
  const time = timeText(asOf, zone);
  if (ageMs < DAY_MS / 2) return time;
  return `${zonedText(asOf, zone, { day: "numeric", month: "short" })}, ${time}`;
}
