import { expect, it } from "vitest";
import type { DisplayInfo } from "../../../../shared/protocol/displays.ts";
import { lagLabel, machineLabel, ownerLabel, wallboardsLabel } from "./display-labels.ts";

const display: DisplayInfo = {
  id: "d",
  name: "Hall",
  boards: ["a", "b"],
  rotationSeconds: 20,
  showing: null,
  muted: false,
  zone: null,
  dim: null,
  status: "online",
  lastSeen: null,
  upToDate: true,
  report: null,
  owner: null,
  ownerLeft: false,
  createdAt: "2026-11-21T14:00:00Z",
};
const nameOf = (id: string) => `Wallboard ${id}`;

it("describes a display, also one that has not reported", () => {
  expect(wallboardsLabel(display, nameOf)).toBe("Wallboard a, Wallboard b · 20 s each");
  expect(wallboardsLabel({ ...display, showing: "b" }, nameOf)).toBe("Only Wallboard b");
  expect(wallboardsLabel({ ...display, boards: ["a"] }, nameOf)).toBe("Wallboard a");
  expect([undefined, null, 900, 12_400].map(lagLabel)).toEqual([
    "No values",
    "No values",
    "Up to date",
    "12 s behind",
  ]);
  expect(machineLabel(display)).toBe("Not connected yet");
});

it("says whose a display is, and since when, as far as that is known", () => {
  expect(ownerLabel(display)).toBeNull();
  expect(ownerLabel({ ...display, owner: { id: "u", name: null } })).toBeNull();
  expect(ownerLabel({ ...display, owner: { id: "u", name: "Ana" } })).toMatch(/^Ana, since .*2026/);
});
