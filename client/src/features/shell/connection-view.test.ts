import { describe, expect, it } from "vitest";
import type { ConnectionKind } from "../../state/connection-state.ts";
import { connectionView } from "./connection-view.ts";

function view(phase: ConnectionKind, waiting = 0, degraded = false) {
  return connectionView({ phase, waiting, degraded, stored: true });
}

describe("what the shell says about the connection", () => {
  it("is Live and quiet when all is well", () => {
    expect(view("live")).toMatchObject({ label: "Live", tone: "good" });
  });
  it("counts the edits that wait while offline, in words", () => {
    expect(view("offline", 1).label).toBe("Offline, 1 edit waiting");
    expect(view("offline", 3).label).toBe("Offline, 3 edits waiting");
    expect(view("offline").label).toBe("Offline");
  });
  it("says Degraded only while connected: a cut is worse news", () => {
    expect(view("live", 0, true).label).toBe("Degraded");
    expect(view("reconnecting", 0, true).label).toBe("Reconnecting…");
  });
  it("promises that edits are kept while reconnecting", () => {
    expect(view("reconnecting", 2).detail).toContain("2 edits of yours are kept");
  });
});
