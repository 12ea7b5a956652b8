import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { defaultLimits } from "../../shared/limits.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import { BACKLOG_MIN, Budget, FairQueue, nextPartSize, REST_MAX_MS, TimeShares } from "./budget.ts";

/** Tasks that end when the test says so, and the order in which they began. */
class Tasks {
  readonly began: string[] = [];
  readonly #ends: (() => void)[] = [];

  readonly make = (name: string) => () => {
    this.began.push(name);
    return new Promise<void>((resolve) => this.#ends.push(resolve));
  };

  async endFirst(): Promise<void> {
    this.#ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe("a fair queue", () => {
  it("gives a free slot to the user whose turn was longest ago", async () => {
    const queue = new FairQueue({ parallel: 2, perUser: 2, waitingPerUser: 10 });
    const tasks = new Tasks();
    for (const n of [1, 2, 3, 4]) void queue.run("flood", tasks.make(`flood ${n}`));
    void queue.run("other", tasks.make("other 1"));
    expect(tasks.began).toEqual(["flood 1", "flood 2"]);
    await tasks.endFirst();
    expect(tasks.began.at(-1)).toBe("other 1");
    await tasks.endFirst();
    expect(tasks.began.at(-1)).toBe("flood 3");
  });

  it("leaves slots free that one user may not take alone", async () => {
    const queue = new FairQueue({ parallel: 3, perUser: 2, waitingPerUser: 10 });
    const tasks = new Tasks();
    for (const n of [1, 2, 3]) void queue.run("flood", tasks.make(`flood ${n}`));
    void queue.run("other", tasks.make("other 1"));
    expect(tasks.began).toEqual(["flood 1", "flood 2", "other 1"]);
  });

  it("rejects tasks of one user beyond the bound and accepts those of others", async () => {
    const queue = new FairQueue({ parallel: 1, perUser: 1, waitingPerUser: 1 });
    const tasks = new Tasks();
    void queue.run("flood", tasks.make("flood 1"));
    void queue.run("flood", tasks.make("flood 2"));
    const refused = await queue.run("flood", tasks.make("flood 3")).catch((error) => error);
    expect(refused).toBeInstanceOf(Refusal);
    expect(refused.code).toBe("rate_limited");
    void queue.run("other", tasks.make("other 1"));
    await tasks.endFirst();
    expect(tasks.began).toEqual(["flood 1", "other 1"]);
  });

  it("lets others have the place of a long task between its parts, each user in turn", async () => {
    const queue = new FairQueue({ parallel: 1, perUser: 1, waitingPerUser: 10 });
    const began: string[] = [];
    const long = (user: string, parts: number) =>
      queue.run(user, async (giveWay) => {
        for (let part = 1; part <= parts; part += 1) {
          began.push(`${user} ${part}`);
          await new Promise((resolve) => setImmediate(resolve));
          if (part < parts) await giveWay();
        }
      });
    await Promise.all([long("a", 3), long("b", 3), long("a", 1), long("c", 1)]);
    expect(began).toEqual(["a 1", "b 1", "c 1", "a 2", "b 2", "a 3", "b 3", "a 1"]);
  });

  it("does not let more than a few tasks wait in the middle, as what they have found is in memory", async () => {
    const queue = new FairQueue({ parallel: 1, perUser: 1, waitingPerUser: 10 });
    let [begun, most] = [0, 0];
    const tasks = Array.from({ length: 40 }, (_, user) =>
      queue.run(`user ${user}`, async (giveWay) => {
        begun += 1;
        most = Math.max(most, begun);
        for (let part = 0; part < 5; part += 1) await giveWay();
        begun -= 1;
      }),
    );
    await Promise.all(tasks);
    expect(most).toBeLessThanOrEqual(9);
  });

  it("continues after a task that failed", async () => {
    const queue = new FairQueue({ parallel: 1, perUser: 1, waitingPerUser: 1 });
    const failing = queue.run("a", () => Promise.reject(new Error("broken")));
    await expect(failing).rejects.toThrow("broken");
    await expect(queue.run("a", async () => 1)).resolves.toBe(1);
  });

  it("starts one task at a time of a backlog that has used up half of its user's share, each after its delay", async () => {
    let now = 0;
    const shares = new TimeShares({ share: 0.5, burstMs: 100 }, () => now);
    const queue = new FairQueue({ parallel: 8, perUser: 3, waitingPerUser: 20 }, shares);
    const tasks = new Tasks();
    shares.noteActivity("other");
    shares.charge("flood", 60);
    const flood = Array.from({ length: BACKLOG_MIN + 5 }, (_, n) => tasks.make(`flood ${n}`));
    for (const task of flood) void queue.run("flood", task);
    for (const n of [1, 2, 3]) void queue.run("other", tasks.make(`other ${n}`));
    const first = ["flood 0", "flood 1", "flood 2", "other 1", "other 2", "other 3"];
    expect(tasks.began).toEqual(first);
    // Its first three end, and one takes their place.
    for (let ended = 0; ended < 3; ended += 1) await tasks.endFirst();
    expect(tasks.began).toEqual([...first, "flood 3"]);
    shares.charge("flood", 300);
    for (let ended = 0; ended < 4; ended += 1) await tasks.endFirst();
    expect(tasks.began).toHaveLength(7);
    now += 10_000;
    void queue.run("other", tasks.make("other 4"));
    await tasks.endFirst();
    expect(tasks.began.slice(7)).toContain("flood 4");
  });

  it("starts a few tasks of a user at once, whatever they have used", () => {
    const shares = new TimeShares({ share: 0.5, burstMs: 1 });
    const queue = new FairQueue({ parallel: 8, perUser: 3, waitingPerUser: 10 }, shares);
    const tasks = new Tasks();
    shares.noteActivity("other");
    shares.charge("flood", 1_000);
    for (const n of [1, 2, 3]) void queue.run("flood", tasks.make(`flood ${n}`));
    expect(tasks.began).toEqual(["flood 1", "flood 2", "flood 3"]);
  });

  it("wakes a backlog after its delay, also while another user waits for tasks that do not end", async () => {
    const shares = new TimeShares({ share: 1, burstMs: 5 });
    const queue = new FairQueue({ parallel: 8, perUser: 1, waitingPerUser: 20 }, shares);
    const stuck = () => new Promise<void>(() => {});
    for (const _ of [1, 2]) void queue.run("stuck", stuck);
    shares.charge("flood", 20);
    const numbers = Array.from({ length: BACKLOG_MIN * 2 }, (_, n) => n);
    const tasks = numbers.map((n) => queue.run("flood", async () => n));
    await expect(Promise.all(tasks)).resolves.toEqual(numbers);
  });

  it("goes on by itself when the delay of a user is over", async () => {
    const shares = new TimeShares({ share: 1, burstMs: 5 });
    const queue = new FairQueue({ parallel: 8, perUser: 1, waitingPerUser: 20 }, shares);
    shares.noteActivity("other");
    shares.charge("flood", 20);
    const numbers = Array.from({ length: BACKLOG_MIN * 2 }, (_, n) => n);
    const tasks = numbers.map((n) => queue.run("flood", async () => n));
    await expect(Promise.all(tasks)).resolves.toEqual(numbers);
  });
});

let now = 0;
let shares: TimeShares;
beforeEach(() => {
  now = 0;
  shares = new TimeShares({ share: 0.5, burstMs: 100 }, () => now);
});

describe("shares of the server's time", () => {
  it("are without bound for a user who is alone", () => {
    shares.noteActivity("ann");
    shares.charge("ann", 1_000);
    expect(shares.delayMs("ann")).toBe(0);
    expect(shares.isHeavy("ann")).toBe(false);
  });

  it("delay who has used more than the burst while somebody else is active", () => {
    for (const user of ["ann", "bob", "ann"]) shares.noteActivity(user);
    shares.charge("ann", 100);
    expect([shares.isHeavy("ann"), shares.delayMs("ann")]).toEqual([true, 0]);
    shares.charge("ann", 50);
    expect(shares.delayMs("ann")).toBe(100);
    expect([shares.isHeavy("bob"), shares.delayMs("bob")]).toEqual([false, 0]);
    now += 100;
    expect(shares.delayMs("ann")).toBe(0);
  });

  it("hold no more than four bursts against a user", () => {
    shares.charge("ann", 60_000);
    shares.noteActivity("bob");
    expect(shares.delayMs("ann")).toBe(600);
  });

  it("end two seconds after the last call of somebody else", () => {
    for (const user of ["bob", "ann"]) shares.noteActivity(user);
    shares.charge("ann", 10_000);
    now += 1_999;
    shares.noteActivity("ann");
    expect(shares.hasOthers("ann")).toBe(true);
    now += 1;
    expect(shares.hasOthers("ann")).toBe(false);
  });

  it("delay long work once, however many calls its user makes meanwhile", async () => {
    shares.noteActivity("bob");
    shares.charge("ann", 105);
    // The clock does not move, as if other programs of ann's used all that is forgotten.
    await shares.untilWithin("ann");
    expect(shares.delayMs("ann")).toBe(10);
  });
});

describe("nextPartSize", () => {
  const bounds = { most: 200, least: 10, targetMs: 5 };
  const sizeAfter = (units: number, ms: number, isShared = true) =>
    nextPartSize(bounds, { units, ms, isShared });

  it("makes the next part as large as fits into the time, within the bounds, while others are active", () => {
    expect([
      sizeAfter(10, 1),
      sizeAfter(100, 20),
      sizeAfter(50, 500),
      sizeAfter(100, 0.01),
    ]).toEqual([50, 25, 10, 200]);
  });

  it("uses the largest part for who is alone", () => {
    expect(sizeAfter(10, 500, false)).toBe(200);
  });
});

describe("doPart", () => {
  const work = new Budget(defaultLimits);
  const timesOf = async (isShared: boolean) => {
    const started = performance.now();
    const { result, ms, cpuMs } = await work.doPart(
      "ann",
      () => isShared,
      () => sleep(20, "done"),
    );
    expect(result).toBe("done");
    // It waited.
    expect(cpuMs).toBeLessThan(ms);
    return { part: ms, all: performance.now() - started };
  };

  it("rests after a part while others are active, at least as long as it took", async () => {
    const { part, all } = await timesOf(true);
    expect(all).toBeGreaterThanOrEqual(Math.min(2 * part, part + REST_MAX_MS));
  });

  it("rests longer while other work of the same user is under way", async () => {
    for (const { part, all } of await Promise.all([timesOf(true), timesOf(true)])) {
      expect(all).toBeGreaterThanOrEqual(Math.min(5 * part, part + REST_MAX_MS));
    }
  });
});
