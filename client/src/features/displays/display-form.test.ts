import { describe, expect, it } from "vitest";
import type { DisplayInfo } from "../../../../shared/protocol/displays.ts";
import { changedSettings } from "../../ui/changed-settings.ts";
import { readFields } from "./display-form.ts";

const display: DisplayInfo = {
  id: "d",
  name: "Hall",
  boards: ["a"],
  rotationSeconds: 60,
  showing: null,
  muted: false,
  zone: null,
  dim: { from: "22:00", to: "06:00" },
  status: "online",
  lastSeen: null,
  upToDate: true,
  report: null,
  owner: null,
  ownerLeft: false,
  createdAt: "2026-11-21T14:00:00Z",
};
const typed = { name: "Hall", from: "22:00", to: "06:00" };
const changes = (values: Record<string, string>, boards = ["a"]) =>
  changedSettings(display, readFields({ ...typed, ...values }, boards));

describe("the form of a display", () => {
  it("sends only what its user has changed", () => {
    expect(changes({})).toEqual({});
    expect(changes({ name: "Lobby" })).toEqual({ name: "Lobby" });
    expect(changes({ to: "" })).toEqual({ dim: null });
    expect(changes({ zone: "Asia/Tokyo" })).toEqual({ zone: "Asia/Tokyo" });
    expect(changes({ zone: "" })).toEqual({});
    expect(changes({ rotation: "60" }, ["a", "b"])).toEqual({ boards: ["a", "b"] });
    expect(changes({ rotation: "30" }, ["a", "b"])).toMatchObject({ rotationSeconds: 30 });
  });

  it("leaves the rotation as it is where it offers none", () => {
    expect(readFields(typed, ["a"])).not.toHaveProperty("rotationSeconds");
  });
});
