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

  it("is an instant also in the first centuries", () => {
    expect(berlin.instant("0099-07-01 12:00")).toBe("0099-07-01T11:06:32.000Z");
  });
});
