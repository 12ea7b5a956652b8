import { expect, it } from "vitest";
import { until } from "../../e2e/harness/until.ts";
import { spooled } from "./spool.ts";

/** A source of texts of a thousand bytes, and how many of them were read. */
function source(count: number, { failsAfter = Number.POSITIVE_INFINITY } = {}) {
  const state = { read: 0, isClosed: false };
  const texts = async function* () {
    try {
      while (state.read < count) {
        if (state.read === failsAfter) throw new Error("the source fails");
        state.read += 1;
        yield textOf(state.read);
      }
    } finally {
      state.isClosed = true;
    }
  };
  return { state, texts: texts() };
}
const textOf = (n: number) => `${n}`.padEnd(999, ".").concat("\n");
const isWanted = () => true;

it("yields the first bytes while the source goes on", async () => {
  const first = Promise.withResolvers<void>();
  const texts = async function* () {
    yield "first\n";
    await first.promise;
    yield "second\n";
  };
  const chunks = spooled(texts(), { isWanted, maxBytes: 1_000_000 });
  expect(String((await chunks.next()).value)).toBe("first\n");
  first.resolve();
  expect(String((await chunks.next()).value)).toBe("second\n");
  expect((await chunks.next()).done).toBe(true);
});

it("reads ahead of its reader by no more than the file has space for, and yields everything in order", async () => {
  const maxBytes = 4_500;
  const from = source(100);
  const taken: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of spooled(from.texts, { isWanted, maxBytes })) {
    taken.push(chunk);
    bytes += chunk.length;
    // One text may wait to be written.
    expect(from.state.read * 1_000 - bytes).toBeLessThanOrEqual(maxBytes + 1_000);
  }
  const expected = Array.from({ length: 100 }, (_, n) => textOf(n + 1)).join("");
  expect(Buffer.concat(taken).toString()).toBe(expected);
});

it("is done with its source before a slow reader is, where the file has space", async () => {
  const from = source(100);
  const chunks = spooled(from.texts, { isWanted, maxBytes: 1_000_000 });
  await chunks.next();
  await until("the source is read", 30_000, async () => from.state.isClosed);
  expect(from.state.read).toBe(100);
  await chunks.return(undefined);
});

it("throws the failure of its source behind what was read before", async () => {
  const from = source(10, { failsAfter: 3 });
  const chunks = spooled(from.texts, { isWanted, maxBytes: 1_500 });
  let bytes = 0;
  const all = async () => {
    for await (const chunk of chunks) bytes += chunk.length;
  };
  await expect(all()).rejects.toThrow("the source fails");
  expect(bytes).toBe(3_000);
});

it("closes its source when its reader leaves, also while the file is full", async () => {
  const from = source(100);
  const chunks = spooled(from.texts, { isWanted, maxBytes: 1_500 });
  await chunks.next();
  await chunks.return(undefined);
  expect(from.state.isClosed).toBe(true);
  expect(from.state.read).toBeLessThan(10);
});
