import { expect, it } from "vitest";
import { memoryTextStorage } from "../../sync/testing/memory-text-storage.ts";
import { createDisplayStorage } from "./display-storage.ts";

type Stored = Parameters<ReturnType<typeof createDisplayStorage>["write"]>[0];

const display = (name: string) => ({ program: { id: "d", name }, boards: {} }) as unknown as Stored;

it("D6 gives back what it has stored, keeps that where more would not fit, and forgets it", () => {
  const own = createDisplayStorage(memoryTextStorage());
  own.write(display("Hall"));
  own.write(display("x".repeat(2_000_001)));
  expect(own.read()).toEqual(display("Hall"));
  own.clear();
  expect(own.read()).toBeNull();
});

it("D6 takes up nothing that another program or build has stored in its place", () => {
  const storage = memoryTextStorage();
  const own = createDisplayStorage(storage);
  own.write(display("Hall"));
  const key = storage.key(0) ?? "";
  for (const text of ["{", "null", "[]", '{"program":{}}', '{"program":{"id":"d"}}']) {
    storage.setItem(key, text);
    expect(own.read()).toBeNull();
  }
});
