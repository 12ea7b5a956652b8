import { afterEach, expect, it, vi } from "vitest";
import type { FrameMessage, ProvenMessage } from "../../../shared/protocol/frame.ts";
import type { Broadcaster } from "../../messaging/peer.ts";
import { hashTileValues } from "../engine/hash-tile-values.ts";
import type { WallboardPlan } from "../plan/wallboard-plan.ts";
import { LiveWallboard } from "./live-wallboard.ts";
import type { WallboardRequest } from "./tiles-messages.ts";

const START = Date.parse("2026-11-21T12:00:00Z");
const HOUR_MS = 3_600_000;
const plan = { key: "k", wallboard: "b", version: 1, tiles: [] } as unknown as WallboardPlan;
const request: WallboardRequest = { reader: { kind: "user", id: "ann" }, call: { wallboard: "b" } };
const at = (ms: number) => new Date(ms).toISOString();

afterEach(() => vi.useRealTimers());

/** A wallboard whose frame was composed at the start, and what it has sent. */
function buildWallboard() {
  const sent: ProvenMessage[] = [];
  const sender: Broadcaster = { toRoom: (_, __, message) => sent.push(message as ProvenMessage) };
  const live = new LiveWallboard(plan, request, sender, 1_000);
  const position = { things: { epoch: "e", seq: 1 } };
  const frame: FrameMessage = { wallboard: "b", version: 1, position, asOf: at(START), tiles: {} };
  live.applyFrame(frame);
  const prove = (now: number, asOf = now) => {
    vi.setSystemTime(now);
    live.applyProof({ position, asOf: at(asOf), figures: hashTileValues({}) });
    live.sendProof();
    return sent.at(-1);
  };
  return { live, prove };
}

it("answers with its frame as of when it was last proven, which a new screen takes for the time", () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const { live, prove } = buildWallboard();
  expect(live.present().asOf).toBe(at(START));
  prove(START + HOUR_MS);
  expect(live.present().asOf).toBe(at(START + HOUR_MS));
});

it("goes on proving its values where the server's clock was set back", () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const { prove } = buildWallboard();
  expect(prove(START + 1)).toMatchObject({ asOf: at(START + 1), now: at(START + 1) });
  // One that another server made before changes nothing.
  expect(prove(START + 2, START)).toMatchObject({ asOf: at(START + 1), now: at(START + 2) });
  const earlier = START - HOUR_MS;
  expect(prove(earlier)).toMatchObject({ asOf: at(earlier), now: at(earlier) });
  expect(prove(earlier + 5)).toMatchObject({ asOf: at(earlier + 5), now: at(earlier + 5) });
});
