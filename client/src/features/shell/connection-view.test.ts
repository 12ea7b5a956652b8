import { describe, expect, it } from "vitest";
import type { ConnectionKind } from "../../state/connection-state.ts";
import { connectionView } from "./connection-view.ts";

const facts = {
  phase: "live",
  waiting: 0,
  degraded: false,
  withoutStore: false,
  stored: true,
} as const;

function view(phase: ConnectionKind, waiting = 0, degraded = false) {
  return connectionView({ ...facts, phase, waiting, degraded });
}

describe("connectionView", () => {
  it("is Live with the tone good while connected", () => {
    expect(view("live")).toMatchObject({ label: "Live", tone: "good" });
  });
  it("counts unsent edits while offline", () => {
    expect(view("offline", 1).label).toBe("Offline, 1 unsent edit");
    expect(view("offline", 3).label).toBe("Offline, 3 unsent edits");
    expect(view("offline").label).toBe("Offline");
  });
  it("is Degraded only while connected", () => {
    expect(view("live", 0, true).label).toBe("Degraded");
    expect(view("reconnecting", 0, true).label).toBe("Reconnecting…");
  });
  it("says that the database accepts no changes", () => {
    const found = connectionView({ ...facts, degraded: true, withoutStore: true });
    expect(found).toMatchObject({ label: "Database unavailable", tone: "warn" });
    expect(found.detail).toContain("Your edits wait");
  });
  it("does not promise that edits are stored in a browser that can't store them", () => {
    const detail = (phase: ConnectionKind) =>
      connectionView({ ...facts, phase, waiting: 2, stored: false }).detail;
    expect(detail("reconnecting")).toContain("2 edits are sent when you are back online, but");
    expect(detail("offline")).toContain("don't close this tab");
  });
  it("says while reconnecting that edits are stored", () => {
    expect(view("reconnecting", 2).detail).toContain("2 edits are stored in this browser");
  });
});
