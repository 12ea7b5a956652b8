import { describe, expect, it } from "vitest";
import { Refusal } from "../../shared/protocol/errors.ts";
import { FairQueue } from "./fair-queue.ts";
import { BACKLOG_MIN, TimeShares } from "./time-shares.ts";

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
