import { describe, expect, it } from "vitest";
import { Refusal } from "../../shared/protocol/errors.ts";
import { FairQueue } from "./fair-queue.ts";

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
});
