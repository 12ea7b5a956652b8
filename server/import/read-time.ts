import type { Json } from "../../shared/filter/filter.ts";
import { readInstant } from "../../shared/filter/instant.ts";
import {
  type DateParts,
  dayFormatOf,
  type FormatPart,
  fullYear,
  parseDateFormat,
  readByFormat,
} from "../../shared/protocol/date-format.ts";

/**
 * Converts times in a customer's own format to ISO 8601 with zone. Unreadable text is returned unchanged: the
 * field's own validation then reports it.
 */
export class TimeReader {
  readonly #format: readonly FormatPart[] | null;
  readonly #dayFormat: readonly FormatPart[] | null;
  readonly #zone: string;
  readonly #clock: Intl.DateTimeFormat;

  constructor(format: string | undefined, zone: string) {
    this.#format = format === undefined ? null : parseDateFormat(format);
    this.#dayFormat = this.#format && dayFormatOf(this.#format);
    this.#zone = zone;
    this.#clock = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
  }

  /** A text as an instant, such as `2016-02-29T01:16:00Z`; undefined for a time that the clocks of the zone skip. */
  instant(text: string): Json | undefined {
    const read = this.#read(text) ?? plainIso(text);
    return read ? this.#withZone(read) : text;
  }

  /** A text as a calendar day; it may be written without the format's time. */
  day(text: string): Json {
    const read = this.#read(text) ?? this.#read(text, this.#dayFormat);
    return read ? `${read.year}-${read.month}-${read.day}` : text;
  }

  #read(text: string, format = this.#format): DateParts | null {
    const scanned = format && readByFormat(text.trim(), format);
    if (!scanned) return null;
    return { ...midnight, ...scanned, year: fullYear(scanned.year ?? "") };
  }

  #withZone({ year, month, day, hour, minute, second }: DateParts): Json | undefined {
    const local = `${year}-${month}-${day}T${hour}:${minute}:${second}Z`;
    // Not by JavaScript, which takes 30 February for a day in March.
    const read = readInstant(local);
    if (!read || this.#zone === "UTC") return local;
    const asUtc = read.seconds * 1_000;
    const near = [asUtc - DAY_MS, asUtc + DAY_MS];
    const possible = new Set(near.map((instant) => asUtc - this.#offsetAt(instant)));
    // Where the clocks skip midnight, it means the beginning of the day.
    const tolerance = asUtc % DAY_MS === 0 ? DAY_MS : 1;
    const found = [...possible].filter((instant) => {
      const later = instant + this.#offsetAt(instant) - asUtc;
      return later >= 0 && later < tolerance;
    });
    // Of a time that the clocks show twice it is the first one.
    return found.length ? new Date(Math.min(...found)).toISOString() : undefined;
  }

  #offsetAt(instant: number): number {
    const parts = this.#clock.formatToParts(instant);
    const of = (type: string) => parts.find((part) => part.type === type)?.value ?? "00";
    const dateText = `${of("year").padStart(4, "0")}-${of("month")}-${of("day")}`;
    return Date.parse(`${dateText}T${of("hour")}:${of("minute")}:${of("second")}Z`) - instant;
  }
}

const DAY_MS = 86_400_000;

const midnight: DateParts = {
  year: "",
  month: "01",
  day: "01",
  hour: "00",
  minute: "00",
  second: "00",
};

/** ISO 8601 without a zone: in the zone of the import. */
function plainIso(text: string): DateParts | null {
  const found = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?)?$/.exec(text.trim());
  if (!found) return null;
  const [, year = "", month = "", day = "", hour = "00", minute = "00", second = "00"] = found;
  return { year, month, day, hour, minute, second };
}
