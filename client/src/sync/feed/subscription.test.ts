import { describe, expect, it } from "vitest";
import type { SubscribeCall, WireChange } from "../../../../shared/protocol/feed.ts";
import { Subscription } from "./subscription.ts";

const by = { kind: "user" as const, id: "u", name: "U" };

function change(seq: number): WireChange {
  return { seq, kind: "update", record: "r", set: { n: seq }, by, at: "then" };
}

function frame(from: number, to: number, epoch = "e") {
  const changes = Array.from({ length: to - from }, (_, index) => change(from + index + 1));
  return { table: "t", epoch, from, to, changes };
}

/** A subscription that notes what it does. */
function noted() {
  const requests: { after: SubscribeCall["after"]; request: number }[] = [];
  const applied: number[] = [];
  const resets: string[] = [];
  const counts = { holes: 0, duplicates: 0 };
  const subscription = new Subscription({
    request: (after, request) => requests.push({ after, request }),
    apply: (changes) => applied.push(...changes.map(({ seq }) => seq)),
    reset: (reason) => resets.push(reason),
    gap: () => {
      counts.holes += 1;
    },
    duplicate: () => {
      counts.duplicates += 1;
    },
  });
  const answer = (seq: number, more: object = {}) => {
    const request = requests.at(-1)?.request ?? 0;
    subscription.answered(request, { epoch: "e", seq, scope: "s", replay: [], ...more });
  };
  return { subscription, asks: requests, applied, resets, counts, answer };
}

function following(seq = 10) {
  const all = noted();
  all.subscription.subscribe();
  all.answer(seq);
  return all;
}

describe("a table's position", () => {
  it("C6 starts with the first answer and moves with every frame that continues it", () => {
    const { subscription, applied, resets } = following();
    expect(resets).toEqual(["first"]);
    subscription.changes(frame(10, 12));
    subscription.changes({ ...frame(12, 12), to: 15 });
    subscription.changes(frame(15, 16));
    expect(applied).toEqual([11, 12, 16]);
    expect(subscription.position).toEqual({ epoch: "e", seq: 16 });
  });

  it("C6 sends the mark of its position back, and none of another position", () => {
    const { subscription, asks: requests, answer } = noted();
    const asked = () => {
      subscription.subscribe();
      return requests.at(-1)?.after;
    };
    asked();
    answer(10, { mark: "ten" });
    expect(asked()).toEqual({ epoch: "e", seq: 10, scope: "s", mark: "ten" });
    answer(10, { mark: "ten" });
    subscription.changes({ ...frame(10, 12), mark: "twelve" });
    expect(asked()).toMatchObject({ seq: 12, mark: "twelve" });
    answer(12, { mark: "twelve" });
    subscription.changes(frame(12, 13));
    expect(asked()).toEqual({ epoch: "e", seq: 13, scope: "s" });
  });

  it("C6 subscribes again at a gap, from its own position, and applies nothing beyond it", () => {
    const { subscription, asks: requests, applied, counts, answer } = following();
    subscription.changes(frame(11, 12));
    expect(applied).toEqual([]);
    expect(requests.at(-1)?.after).toEqual({ epoch: "e", seq: 10, scope: "s" });
    expect(counts.holes).toBe(1);
    answer(12, { replay: [change(11), change(12)] });
    expect(applied).toEqual([11, 12]);
  });

  it("C6 drops what it knows and takes the rest of a frame that overlaps", () => {
    const { subscription, applied, counts } = following();
    subscription.changes(frame(8, 10));
    subscription.changes(frame(9, 12));
    expect(applied).toEqual([11, 12]);
    expect(counts).toEqual({ holes: 0, duplicates: 1 });
  });

  it("C6 treats another epoch as a hole", () => {
    const { subscription, asks: requests, applied } = following();
    subscription.changes(frame(10, 11, "other"));
    expect(applied).toEqual([]);
    expect(requests).toHaveLength(2);
  });

  it("C7 keeps frames that overtake the answer", () => {
    const { subscription, applied, answer } = noted();
    subscription.subscribe();
    subscription.changes(frame(10, 11));
    subscription.changes(frame(11, 13));
    answer(10);
    expect(applied).toEqual([11, 12, 13]);
  });

  it("C7 lets only the last ask be answered", () => {
    const { subscription, asks: requests, resets } = noted();
    subscription.subscribe();
    const first = requests[0]?.request ?? 0;
    subscription.onDisconnected();
    subscription.subscribe();
    subscription.answered(first, { epoch: "old", seq: 1, scope: "s" });
    expect(resets).toEqual([]);
    expect(subscription.position).toBeNull();
  });

  it("C8 finds a hole by the heads on a quiet line", () => {
    const { subscription, asks: requests, counts } = following();
    subscription.heads({ epoch: "e", seq: 10 });
    expect(requests).toHaveLength(1);
    subscription.heads({ epoch: "e", seq: 14 });
    expect(requests).toHaveLength(2);
    expect(counts.holes).toBe(1);
  });

  it.each([
    ["another scope", { scope: "other", resync: true }, "scope"],
    ["another epoch", { epoch: "f", resync: true }, "epoch"],
    ["a log that does not reach back", { resync: true }, "slow"],
    ["a position before its own", { seq: 4 }, "slow"],
  ])("C9 C10 starts over after %s", (_name, more, reason) => {
    const { subscription, resets, answer } = following();
    subscription.onDisconnected();
    subscription.subscribe();
    answer(20, more);
    expect(resets).toEqual(["first", reason]);
  });

  it("C10 goes on where another epoch continues its own, as a restarted database has it", () => {
    const { subscription, applied, resets, answer } = following();
    subscription.onDisconnected();
    subscription.subscribe();
    answer(12, { epoch: "f", replay: [change(11), change(12)] });
    subscription.changes(frame(12, 13, "f"));
    expect([applied, resets]).toEqual([[11, 12, 13], ["first"]]);
  });

  it("C9 asks without a position after other rights, and says why it starts over", () => {
    const { subscription, asks: requests, resets, answer } = following();
    subscription.forget("rights");
    expect(requests.at(-1)?.after).toBeUndefined();
    answer(11);
    expect(resets).toEqual(["first", "rights"]);
  });

  it("C10 asks with its position after a slow line: the log may fill the hole", () => {
    const { subscription, asks: requests, applied, answer } = following();
    subscription.forget("slow");
    expect(requests.at(-1)?.after?.seq).toBe(10);
    answer(11, { replay: [change(11)] });
    expect(applied).toEqual([11]);
  });
});
