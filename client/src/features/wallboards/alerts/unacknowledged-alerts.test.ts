import { expect, it } from "vitest";
import type { Alert, ShownWallboard } from "../../../../../shared/protocol/frame.ts";
import { unacknowledgedAlerts } from "./unacknowledged-alerts.ts";

const tile = (id: string, title: string) => ({ id, title }) as ShownWallboard["tiles"][number];
const wallboard = {
  tiles: [tile("late", "Late"), tile("groups", "Groups")],
} as unknown as ShownWallboard;
const alert = (more: Partial<Alert> = {}): Alert => ({
  word: "Act",
  colour: "red",
  flash: true,
  sound: false,
  since: "2026-11-21T14:00:00Z",
  acknowledged: null,
  ...more,
});

it("names what flashes or sounds and nobody has seen, tile or light, longest first", () => {
  const earlier = "2026-11-21T13:00:00Z";
  const found = unacknowledgedAlerts(wallboard, {
    late: { state: "ok", alert: alert() },
    groups: {
      state: "ok",
      rows: [
        { key: "net", label: "Network", value: 9, alert: alert({ since: earlier, sound: true }) },
        { key: "desk", label: "Desk", value: 1, alert: alert({ flash: false }) },
        { key: null, label: "None", value: 1, alert: null },
      ],
    },
    gone: { state: "ok", alert: alert() },
  });
  expect(found.map(({ where, call }) => [where, call])).toEqual([
    ["Groups: Network", { tile: "groups", row: "net", word: "Act" }],
    ["Late", { tile: "late", word: "Act" }],
  ]);
  const seen = alert({ acknowledged: { by: "Mira", at: earlier } });
  expect(unacknowledgedAlerts(wallboard, { late: { state: "ok", alert: seen } })).toEqual([]);
});
