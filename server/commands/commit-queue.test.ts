import { describe, expect, it } from "vitest";
import { BACKLOG_MIN, TimeShares } from "../load/budget.ts";
import { CommitQueue, type QueuedMutation } from "./commit-queue.ts";

const bounds = { mutations: 100, bytes: 1_000, userMutations: 50, userBytes: 500 };

/** A mutation of a user with so many ops and bytes. */
function of(user: string, id: string, { ops = 1, bytes = 1 } = {}): QueuedMutation {
  const op = { op: "restore", table: "t", record: "r" } as const;
  const mutation = { id, ops: Array.from({ length: ops }, () => op) } as never;
  return { mutation, hash: "", isStale: false, storesRefusal: true, user, bytes };
}

const alone = () => new TimeShares({ share: 1, burstMs: 1 });

/** Two active users, of whom one has used up their share of the time. */
function crowded() {
  let now = 0;
  const shares = new TimeShares({ share: 0.5, burstMs: 100 }, () => now);
  for (const user of ["flood", "bob"]) shares.noteActivity(user);
  shares.charge("flood", 200);
  return { shares, advance: (ms: number) => (now += ms) };
}

function filled(...all: QueuedMutation[]) {
  const queue = new CommitQueue(bounds, alone());
  for (const queued of all) queue.add(queued);
  return queue;
}

const ids = (group: readonly QueuedMutation[]) => group.map(({ mutation }) => mutation.id);

describe("the commit queue", () => {
  it("M22 keeps the order of each user's mutations", () => {
    const queue = filled(of("ann", "a1"), of("ann", "a2"), of("bob", "b1"), of("ann", "a3"));
    expect(ids(queue.take({ ops: 1_000, userOps: 1_000 }))).toEqual(["a1", "b1", "a2", "a3"]);
    expect(queue.take({ ops: 1_000, userOps: 1_000 })).toEqual([]);
  });

  it("takes turns between users, however many mutations one of them has waiting", () => {
    const flood = Array.from({ length: 20 }, (_, n) => of("flood", `f${n}`, { ops: 1_000 }));
    const queue = filled(...flood, of("bob", "b1"), of("bob", "b2"));
    const groups = Array.from({ length: 3 }, () => ids(queue.take({ ops: 1_000, userOps: 1_000 })));
    expect(groups[0]).toEqual(["f0"]);
    expect(groups[1]).toEqual(["b1", "b2"]);
    expect(groups[2]).toEqual(["f1"]);
  });

  it("returns mutations to the front, in their order", () => {
    const queue = filled(of("ann", "a1"), of("bob", "b1"), of("ann", "a2"), of("ann", "a3"));
    const taken = queue.take({ ops: 3, userOps: 3 });
    queue.requeue(taken.slice(1));
    expect(ids(taken)).toEqual(["a1", "b1", "a2"]);
    expect(ids(queue.take({ ops: 10, userOps: 10 })).filter((id) => id.startsWith("a"))).toEqual([
      "a2",
      "a3",
    ]);
  });

  it("takes a mutation that is larger than a group alone", () => {
    const queue = filled(of("ann", "a1", { ops: 5 }), of("ann", "a2"));
    expect(ids(queue.take({ ops: 3, userOps: 3 }))).toEqual(["a1"]);
  });

  it("refuses what exceeds the bytes of the queue or of a user, until something was answered", () => {
    const queue = new CommitQueue(bounds, alone());
    const large = of("ann", "a1", { bytes: 2_000 });
    queue.add(large);
    expect(() => queue.add(of("bob", "b1"))).toThrow(/./);
    for (const taken of queue.take({ ops: 1, userOps: 1 })) queue.release(taken);
    queue.add(of("ann", "a2", { bytes: 400 }));
    expect(() => queue.add(of("ann", "a3", { bytes: 200 }))).toThrow(/./);
    queue.add(of("bob", "b1", { bytes: 200 }));
  });

  it("refuses what exceeds a user's share, and accepts others' mutations", () => {
    const queue = filled(...Array.from({ length: 50 }, (_, n) => of("ann", `a${n}`)));
    expect(() => queue.add(of("ann", "more"))).toThrow(/./);
    queue.add(of("bob", "b1"));
    const [first] = queue.take({ ops: 1, userOps: 1 });
    // Taken mutations are not answered yet.
    expect(() => queue.add(of("ann", "more"))).toThrow(/./);
    queue.release(first as QueuedMutation);
    queue.add(of("ann", "more"));
  });

  it("withdraws a mutation that was not taken yet", () => {
    const [a1, a2] = [of("ann", "a1"), of("ann", "a2")];
    const queue = filled(a1, a2);
    expect(queue.withdraw(a1)).toBe(true);
    expect(ids(queue.take({ ops: 10, userOps: 10 }))).toEqual(["a2"]);
    expect(queue.withdraw(a2)).toBe(false);
  });

  it("takes only so many ops of one user where others are active", () => {
    const { shares } = crowded();
    const queue = new CommitQueue(bounds, shares);
    for (let n = 0; n < 5; n += 1) queue.add(of("ann", `a${n}`, { ops: 20 }));
    queue.add(of("bob", "b1"));
    expect(ids(queue.take({ ops: 1_000, userOps: 40 }))).toEqual(["a0", "b1", "a1"]);
    expect(ids(queue.take({ ops: 1_000, userOps: 10 }))).toEqual(["a2"]);
  });

  it("lets a backlog wait for its user's share of the time, and nobody else", () => {
    const { shares, advance } = crowded();
    const queue = new CommitQueue(bounds, shares);
    for (let n = 0; n <= BACKLOG_MIN; n += 1) queue.add(of("flood", `f${n}`));
    queue.add(of("bob", "b1"));
    queue.add(of("bob", "b2"));
    const group = { ops: 1_000, userOps: 1_000 };
    expect(ids(queue.take(group))).toEqual(["b1", "b2"]);
    expect(queue.take(group)).toEqual([]);
    expect(queue.shortestDelayMs()).toBe(200);
    advance(200);
    expect(queue.take(group)).toHaveLength(BACKLOG_MIN + 1);
  });

  it("never lets a few mutations wait for a share", () => {
    const queue = new CommitQueue(bounds, crowded().shares);
    for (let n = 0; n < BACKLOG_MIN; n += 1) queue.add(of("flood", `f${n}`));
    expect(queue.take({ ops: 1_000, userOps: 1_000 })).toHaveLength(BACKLOG_MIN);
  });
});
