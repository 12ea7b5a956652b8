import { beforeEach, describe, expect, it } from "vitest";
import type { Alert, TileFrame } from "../../../../shared/protocol/frame.ts";
import { FakeClock } from "../../sync/testing/fake-clock.ts";
import { Siren } from "../view/use-siren.ts";

const alert: Alert = {
  ...{ word: "High", colour: "red", flash: false, sound: true },
  ...{ since: "2026-11-21T14:00:00Z", acknowledged: null },
};
const seen = { ...alert, acknowledged: { by: "Mira", at: alert.since } };
/** A tile with an alert for each of these groups, in this order. */
const groups = (...keys: string[]): Record<string, TileFrame> => ({
  lights: { state: "ok", rows: keys.map((key) => ({ key, label: key, value: 1, alert })) },
});

let clock: FakeClock;
let siren: Siren;
let sounds: number;

beforeEach(() => {
  clock = new FakeClock(1);
  sounds = 0;
  siren = new Siren(clock, () => {
    sounds += 1;
  });
});

describe("the sound of a display", () => {
  it("comes with an alert, and every 30 s until the last one is acknowledged", async () => {
    siren.update({ one: { state: "ok", alert } });
    expect(sounds).toBe(1);
    await clock.advance(60_000);
    expect(sounds).toBe(3);
    siren.update({ one: { state: "ok", alert: seen } });
    await clock.advance(60_000);
    expect(sounds).toBe(3);
  });

  it("comes at once with a further alert, and not where others change places or end", async () => {
    siren.update(groups("net", "desk"));
    siren.update(groups("desk", "net"));
    siren.update(groups("net"));
    expect(sounds).toBe(1);
    siren.update(groups("net", "field"));
    expect(sounds).toBe(2);
  });

  it("is repeated in time however often alerts end", async () => {
    siren.update(groups("a", "b", "c"));
    await clock.advance(20_000);
    siren.update(groups("a", "b"));
    await clock.advance(20_000);
    expect(sounds).toBe(2);
  });

  it("stops while it is muted, and comes again afterwards", async () => {
    siren.update(groups("net"));
    siren.update(null);
    await clock.advance(60_000);
    expect(sounds).toBe(1);
    siren.update(groups("net"));
    expect(sounds).toBe(2);
  });
});
