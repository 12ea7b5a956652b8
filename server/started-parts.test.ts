import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { StartedParts } from "./started-parts.ts";

const TIMEOUT_MS = 2_000;
/** More than a part gets after the time is up, and less than half of what one that hangs leaves. */
const NEEDED_MS = 300;

const never = () => new Promise(() => {});
const fail = (message: string) => () => Promise.reject(new Error(message));

describe("the parts of a server", () => {
  it("have time to stop also after one that hangs", async () => {
    const parts = new StartedParts();
    parts.defer("first", () => sleep(NEEDED_MS));
    parts.defer("hangs", never);
    await parts.stop(TIMEOUT_MS);
    expect(parts.unfinished).toEqual(["hangs"]);
  });

  it("are named if they did not end, also when another one failed to stop", async () => {
    const parts = new StartedParts();
    parts.defer("hangs", never);
    parts.defer("fails", fail("one failed"));
    let named: string[] = [];
    const stopped = parts.stop(0, () => {
      named = parts.unfinished;
    });
    await expect(stopped).rejects.toThrow("one failed");
    expect(named).toEqual(["hangs"]);
  });

  it("are stopped after a failed start, whose cause is thrown whatever fails to stop", async () => {
    const parts = new StartedParts();
    parts.defer("fails", fail("did not stop"));
    const failures: unknown[] = [];
    const cause = new Error("the port is taken");
    const stopped = parts.stopAfter(cause, TIMEOUT_MS, (error) => failures.push(error));
    await expect(stopped).rejects.toBe(cause);
    expect(failures).toMatchObject([{ message: "did not stop" }]);
  });
});
