import { describe, expect, it } from "vitest";
import { SharedReads } from "./shared-reads.ts";

/** Reads that end when `end` is called. */
function heldReads() {
  const ends: ((fails?: boolean) => void)[] = [];
  let began = 0;
  const read = () => {
    began += 1;
    const result = `result ${began}`;
    return new Promise<string>((resolve, reject) => {
      ends.push((fails = false) => (fails ? reject(new Error("failed")) : resolve(result)));
    });
  };
  return { read, end: (fails?: boolean) => ends.shift()?.(fails), began: () => began };
}

describe("shared reads", () => {
  it("run once for all who asked before they began, and never for those who asked later", async () => {
    const { read, end, began } = heldReads();
    const shared = new SharedReads();
    const first = shared.run("a", read);
    const later = [shared.run("a", read), shared.run("a", read)];
    expect(began()).toBe(1);
    end();
    expect(await first).toBe("result 1");
    const last = shared.run("a", read);
    expect(began()).toBe(2);
    end();
    expect(await Promise.all(later)).toEqual(["result 2", "result 2"]);
    end();
    expect(await last).toBe("result 3");
    const again = shared.run("a", read);
    end();
    expect([await again, began()]).toEqual(["result 4", 4]);
  });

  it("fail for those who waited for them only, and other keys do not wait", async () => {
    const { read, end } = heldReads();
    const shared = new SharedReads();
    const first = shared.run("a", read);
    const next = shared.run("a", read);
    const other = shared.run("b", read);
    end(true);
    await expect(first).rejects.toThrow("failed");
    end();
    expect(await other).toBe("result 2");
    end();
    expect(await next).toBe("result 3");
  });
});
