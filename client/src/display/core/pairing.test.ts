import { beforeEach, expect, it } from "vitest";
import type { Pairing, PairingState } from "../../../../shared/protocol/displays.ts";
import { FakeClock } from "../../sync/testing/fake-clock.ts";
import { type ShownCode, startPairing } from "./pairing.ts";
import type { Reply, requestServer } from "./server-request.ts";

/** By the server's clock, which is not the screen's. */
const NOW = Date.parse("2031-01-01T00:00:00Z");
const TEN_MINUTES_MS = 600_000;

let clock: FakeClock;
/** What the server answers: to a request of a code, and to the question of its state. */
let codes: Reply<Pairing>[];
let state: Partial<PairingState>;
let asked: string[];
let shown: (string | null)[];
let ended: number;

const codeOf = (code: string, minute = 0): Reply<Pairing> => {
  const now = NOW + minute * 60_000;
  const textAt = (at: number) => new Date(at).toISOString();
  return {
    kind: "answer",
    body: { code, now: textAt(now), expires: textAt(now + TEN_MINUTES_MS) },
  };
};

const textOf = (code: ShownCode) => (code === null || code === "elsewhere" ? code : code.code);

function show(): () => void {
  const request = async (name: string): Promise<Reply<unknown>> => {
    asked.push(name);
    if (name.startsWith("GET")) return { kind: "answer", body: state };
    return codes.shift() ?? { kind: "nothing" };
  };
  return startPairing({
    clock,
    request: request as typeof requestServer,
    onCode: (code) => shown.push(textOf(code)),
    onEnd: () => {
      ended += 1;
    },
  });
}

beforeEach(() => {
  clock = new FakeClock(3);
  codes = [codeOf("FIRST"), codeOf("SECOND", 10)];
  state = { state: "waiting" };
  asked = [];
  shown = [];
  ended = 0;
});

it("D1 a screen replaces its code half a minute before that ends, until somebody takes it up", async () => {
  show();
  await clock.advance(TEN_MINUTES_MS - 40_000);
  expect(shown).toEqual(["FIRST"]);
  await clock.advance(20_000);
  expect(shown).toEqual(["FIRST", "SECOND"]);
  state = { state: "paired" };
  await clock.advance(TEN_MINUTES_MS);
  expect([shown.length, ended]).toEqual([2, 1]);
});

it("D1 of two tabs the last one shows the code, and the other says so until that has ended", async () => {
  show();
  await clock.advance(10_000);
  state = { state: "waiting", expires: "another tab's" };
  await clock.advance(2 * TEN_MINUTES_MS);
  expect([shown, ended]).toEqual([["FIRST", "elsewhere"], 0]);
  state = { state: "expired" };
  await clock.advance(10_000);
  expect(ended).toBe(1);
});

it("D1 a screen without a code asks again, and not before the server wants it to", async () => {
  codes = [
    { kind: "refused", code: "rate_limited", retryAfterMs: 60_000 },
    { kind: "nothing" },
    codeOf("THIRD"),
  ];
  show();
  await clock.advance(59_000);
  expect(shown).toEqual([null]);
  await clock.advance(2_000);
  expect(shown).toEqual([null, null]);
  await clock.advance(4_000);
  expect(shown).toEqual([null, null, "THIRD"]);
});

it("D1 a screen that was taken up asks nothing more, also where an answer is on its way", async () => {
  const stop = show();
  await clock.advance(3_000);
  const before = asked.length;
  stop();
  await clock.advance(10_000);
  expect(asked.length).toBe(before);
  const stopEarly = show();
  stopEarly();
  await clock.advance(10_000);
  expect([asked.length - before, shown]).toEqual([1, ["FIRST"]]);
});
