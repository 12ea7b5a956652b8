import type { Json } from "../../../shared/filter/filter.ts";
import { memoize } from "../../../shared/memoize.ts";
import type { Field } from "../../../shared/model/model.ts";
import type { Bucket } from "../../../shared/model/wallboard/tile-parts.ts";
import type { ShownField, ShownTile } from "../../../shared/protocol/frame.ts";
import { formatLanguage } from "../messages/define-messages.ts";
import { tilesMessages as messages } from "../messages/en/tiles.ts";
import { formatDuration } from "../records/fields/duration.ts";
import { formatValue } from "../records/fields/format-value.ts";
import { formatNumber } from "../ui/numbers.ts";

/** Formats values and times of a tile: short, and of constant length while they change. */

const NOTHING = "–";
const DEFAULT_AVERAGE_DIGITS = 1;

/** A value as a number, for drawing only; exact decimals are texts. Null if there is none. */
export function asNumber(value: Json | undefined): number | null {
  if (value === null || value === undefined || value === "") return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

/** A value of a tile, without its unit. */
export function valueText(tile: ShownTile, value: Json | undefined): string {
  if (value === null || value === undefined) return NOTHING;
  const { measured, decimals } = tile;
  if (measured?.type === "duration") return formatDuration(Number(value));
  if (measured?.type === "date" || measured?.type === "timestamp") {
    return formatValue(measured as Field, value);
  }
  if (typeof value !== "number" && typeof value !== "string") return String(value);
  const scale = decimals ?? measured?.scale ?? digitsOf(value);
  const digits = { minimumFractionDigits: scale, maximumFractionDigits: scale };
  if (measured?.type === "money" && measured.currency) {
    return formatNumber(value, { style: "currency", currency: measured.currency, ...digits });
  }
  return formatNumber(value, digits);
}

/** An average has a decimal place, so that it does not look like a count. */
function digitsOf(value: string | number): number {
  return /\./.test(String(value)) ? DEFAULT_AVERAGE_DIGITS : 0;
}

/** The unit of a value: the tile's own, or the percent sign. */
export function unitOf({ unit, measured }: ShownTile): string {
  return unit ?? (measured?.type === "percent" ? "%" : "");
}

/** A difference with its sign: +3, −12. */
export function differenceText(tile: ShownTile, difference: number): string {
  const size = valueText(tile, roundFor(tile, Math.abs(difference)));
  return difference === 0 ? "±0" : `${difference > 0 ? "+" : "−"}${size}`;
}

function roundFor(tile: ShownTile, value: number): number {
  const scale = tile.decimals ?? tile.measured?.scale ?? (Number.isInteger(value) ? 0 : 1);
  return Number(value.toFixed(scale));
}

/** A value of a row, formatted by its field; `text` is the label of a key. */
export function cellText(field: ShownField, value: Json | undefined, text?: string): string {
  // the server's own yes and no are English
  const label = field.type === "boolean" ? undefined : text;
  return label ?? formatValue(field as Field, value);
}

/** A time in a tile's zone. Unknown zones are treated as UTC. */
export function zonedText(at: number, zone: string, options: Intl.DateTimeFormatOptions): string {
  return zonedFormat(JSON.stringify([formatLanguage(), zone, options])).format(at);
}

/** By language, zone and options, as JSON. */
const zonedFormat = memoize((key: string) => {
  const [language, zone, options]: [string, string, Intl.DateTimeFormatOptions] = JSON.parse(key);
  try {
    return new Intl.DateTimeFormat(language, { ...options, timeZone: zone });
  } catch {
    return new Intl.DateTimeFormat(language, { ...options, timeZone: "UTC" });
  }
});

const time = { hour: "2-digit", minute: "2-digit" } as const;
const bucketParts: Record<Bucket, Intl.DateTimeFormatOptions> = {
  minute: time,
  hour: time,
  day: { weekday: "short", day: "numeric" },
  week: { day: "numeric", month: "short" },
  month: { month: "short" },
};

/** The label of a bucket below a trend. */
export function bucketText(at: string, bucket: Bucket | undefined, zone: string): string {
  return zonedText(Date.parse(at), zone, bucketParts[bucket ?? "hour"]);
}

const spans = [
  [86_400_000, messages.days],
  [3_600_000, messages.hours],
  [60_000, messages.minutes],
] as const;

/** "25 min", "3 h", "2 d": an age in one unit; "now" within the first minute. */
export function spanText(ms: number): string {
  const found = spans.find(([length]) => ms >= length);
  return found ? found[1]({ count: Math.floor(ms / found[0]) }) : messages.now();
}

/** 14:03:12 in a zone. */
export function timeText(at: number, zone: string): string {
  return zonedText(at, zone, { ...time, second: "2-digit" });
}
