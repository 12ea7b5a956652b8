import { describe, expect, it } from "vitest";
import { TimeReader } from "./read-time.ts";

describe("a time of a file in a zone", () => {
  const berlin = new TimeReader(undefined, "Europe/Berlin");

  it.each(["2024-02-30 10:00", "2023-02-29 10:00", "2024-04-31 10:00", "2024-01-01 24:00"])(
    "leaves %s, which no calendar or clock has, to the field to refuse",
    (text) => {
      expect(berlin.instant(text)).toBe(`${text.replace(" ", "T")}:00Z`);
      const german = new TimeReader("DD.MM.YYYY HH:mm", "Europe/Berlin");
      const [year, month, rest = ""] = text.split("-");
      const [day, time] = rest.split(" ");
      expect(german.instant(`${day}.${month}.${year} ${time}`)).toBe(
        `${year}-${month}-${day}T${time}:00Z`,
      );
    },
  );

  it.each([
    ["Europe/Berlin", "2026-03-29 02:30"],
    ["America/New_York", "2026-03-08 02:00"],
    ["Pacific/Apia", "2011-12-30 12:00"],
  ])("is no instant where the clocks skip it: %s %s", (zone, text) => {
    expect(new TimeReader(undefined, zone).instant(text)).toBeUndefined();
  });

  it.each([
    ["Europe/Berlin", "2026-10-25 02:30", "2026-10-25T00:30:00.000Z"],
    ["America/New_York", "2026-11-01 01:30", "2026-11-01T05:30:00.000Z"],
    ["Europe/Berlin", "2026-03-29 01:59", "2026-03-29T00:59:00.000Z"],
    ["Europe/Berlin", "2026-03-29 03:00", "2026-03-29T01:00:00.000Z"],
    ["America/Santiago", "2026-09-06", "2026-09-06T04:00:00.000Z"],
    ["America/Santiago", "2026-04-05", "2026-04-05T04:00:00.000Z"],
  ])(
    "is the first one where the clocks show it twice, and the beginning of a day without midnight: %s %s",
    (zone, text, instant) => {
      expect(new TimeReader(undefined, zone).instant(text)).toBe(instant);
    },
  );

  it("has a year from 1969 to 2068 where it is written with two digits", () => {
    const short = new TimeReader("DD/MM/YY", "UTC");
    expect(["31/12/85", "01/01/69", "01/01/68"].map((text) => short.day(text))).toEqual([
      "1985-12-31",
      "1969-01-01",
      "2068-01-01",
    ]);
  });

  it("is an instant also in the first centuries", () => {
    expect(berlin.instant("0099-07-01 12:00")).toBe("0099-07-01T11:06:32.000Z");
  });
});
