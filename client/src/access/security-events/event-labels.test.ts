import { describe, expect, it } from "vitest";
import {
  type SecurityEvent,
  securityEventKinds,
} from "../../../../shared/protocol/security-events.ts";
import { eventText, eventTone } from "./event-labels.ts";

function buildEvent(kind: SecurityEvent["kind"], more: Partial<SecurityEvent> = {}): SecurityEvent {
  const mara = { id: "m", name: "Mara" };
  const base = { id: "1", at: "2026-11-21T10:00:00Z", ip: "192.0.2.7", userAgent: "" };
  const found = {
    table: "jobs",
    count: 3,
    records: ["a", "b"],
    record: "a",
    origin: "https://example.com",
  };
  const detail = {
    role: "editor",
    before: "Old",
    version: 7,
    method: "password",
    ...(kind.startsWith("account_") && { provider: "company" }),
    fields: ["phone"],
    ...found,
  };
  return { ...base, detail, kind, actor: mara, subject: { id: "a", name: "Ana" }, ...more };
}

describe("eventText", () => {
  it.each(securityEventKinds)("describes %s in one sentence", (kind) => {
    expect(eventText(buildEvent(kind))).toMatch(/^[A-Z].*\.$/);
    expect(eventText(buildEvent(kind))).not.toMatch(/undefined|null|object/);
  });
  it.each([
    ["records_exported", "Mara exported records of a table that you can't read."],
    ["values_erased", "Erased on the server: values of a record in a table that you can't read."],
    [
      "capture_bypassed",
      "Triggers of a table that you can't read were disabled for a time, or created again. Changes made meanwhile may be missing in the history and at webhooks.",
    ],
  ] as const)("says of %s that its table is hidden", (kind, text) => {
    expect(eventText(buildEvent(kind, { detail: { table: null, count: 3 } }))).toBe(text);
  });
  it("names both roles of a change, and no user for an unknown email", () => {
    const role = buildEvent("user_changed", { detail: { role: ["viewer", "admin"] } });
    expect(eventText(role)).toBe("Mara made Ana admin (was viewer).");
    const ids = ["viewer", "r-2f1c"];
    const named = { role: ids, roleName: ["Viewer", "Ward clerk"] };
    expect(eventText(buildEvent("user_changed", { detail: named }))).toBe(
      "Mara made Ana Ward clerk (was Viewer).",
    );
    const added = { role: "r-2f1c", roleName: "Ward clerk" };
    expect(eventText(buildEvent("user_added", { detail: added }))).toContain("Ward clerk");
    const unknownUser = buildEvent("sign_in_failed", { actor: null, subject: null });
    expect(eventText(unknownUser)).toBe("Sign-in failed: unknown email.");
    expect(eventTone(unknownUser)).toBe("bad");
  });
});
