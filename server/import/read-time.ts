import type { Json } from "../../shared/filter/filter.ts";

/**
 * Reads times written in a customer's own format into ISO 8601 with zone. What does not fit is handed
 * back as it is: the field's own rule then says what it wants.
 */
export class TimeReader {
  readonly #pattern: RegExp | null;
  readonly #parts: string[] = [];
  readonly #zone: string;
  readonly #clock: Intl.DateTimeFormat;

  constructor(format: string | undefined, zone: string) {
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
    this.#pattern = format === undefined ? null : this.#compile(format);
  }

  /** A text as an instant, such as `2016-02-29T01:16:00Z`. */
  instant(text: string): Json {
    const read = this.#read(text) ?? plainIso(text);
    return read ? this.#withZone(read) : text;
  }

  /** A text as a calendar day. */
  day(text: string): Json {
    const read = this.#read(text);
    return read ? `${read.year}-${read.month}-${read.day}` : text;
  }

  /** `MM` is a month, but minutes where hours stand before it, as many people write it. */
  #compile(format: string): RegExp {
    const source = format.replace(/YYYY|YY|MM|DD|HH|mm|ss|[^A-Za-z]|[A-Za-z]+/g, (token) => {
      const name = partNames[token === "MM" && this.#parts.includes("hour") ? "mm" : token];
      if (!name) return token.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
      this.#parts.push(name);
      return name === "year" && token === "YYYY" ? "(\\d{4})" : "(\\d{1,2})";
    });
    return new RegExp(`^${source}$`);
  }

  #read(text: string): Parts | null {
    const found = this.#pattern?.exec(text.trim());
    if (!found) return null;
    const read: Parts = { ...midnight };
    for (const [index, name] of this.#parts.entries()) {
      read[name as keyof Parts] = (found[index + 1] as string).padStart(2, "0");
    }
    if (read.year.length === 2) read.year = `20${read.year}`;
    return read;
  }

  #withZone({ year, month, day, hour, minute, second }: Parts): string {
    const local = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
    const asUtc = Date.parse(`${local}Z`);
    if (Number.isNaN(asUtc) || this.#zone === "UTC") return `${local}Z`;
    // Twice, because the offset is that of the instant and not of the same figures in UTC.
    const first = asUtc - this.#offsetAt(asUtc);
    const instant = asUtc - this.#offsetAt(first);
    return new Date(instant).toISOString();
  }

  #offsetAt(instant: number): number {
    const parts = this.#clock.formatToParts(instant);
    const of = (type: string) => parts.find((part) => part.type === type)?.value ?? "00";
    const figures = `${of("year")}-${of("month")}-${of("day")}`;
    return Date.parse(`${figures}T${of("hour")}:${of("minute")}:${of("second")}Z`) - instant;
  }
}

interface Parts {
  year: string;
  month: string;
  day: string;
  hour: string;
  minute: string;
  second: string;
}

const midnight: Parts = {
  year: "",
  month: "01",
  day: "01",
  hour: "00",
  minute: "00",
  second: "00",
};
const partNames: Record<string, keyof Parts | undefined> = {
  YYYY: "year",
  YY: "year",
  MM: "month",
  DD: "day",
  HH: "hour",
  mm: "minute",
  ss: "second",
};

/** ISO 8601 without a zone: the zone of the import is meant. */
function plainIso(text: string): Parts | null {
  const found = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?)?$/.exec(text.trim());
  if (!found) return null;
  const [, year = "", month = "", day = "", hour = "00", minute = "00", second = "00"] = found;
  return { year, month, day, hour, minute, second };
}
