import { afterEach, expect, it } from "vitest";
import { ownZone } from "../../../shared/filter/zone.ts";
import { dayZone, setDeviceDays, setInstallationZone } from "./day-zone.ts";

const ZONE = "Pacific/Kiritimati";

afterEach(() => {
  setInstallationZone(null);
  setDeviceDays(false);
});

it("days begin where the installation says, unless the user wants those of their device", () => {
  expect(dayZone()).toBe(ownZone());
  setInstallationZone(ZONE);
  expect(dayZone()).toBe(ZONE);
  setDeviceDays(true);
  expect(dayZone()).toBe(ownZone());
  // Another zone is published meanwhile.
  setInstallationZone("Asia/Tokyo");
  expect(dayZone()).toBe(ownZone());
  setDeviceDays(false);
  expect(dayZone()).toBe("Asia/Tokyo");
});
