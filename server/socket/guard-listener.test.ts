import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { guardListener } from "./guard-listener.ts";

it("logs what a listener throws or rejects with, and throws nothing itself", async () => {
  const logged: unknown[] = [];
  const log = { error: (detail: unknown) => void logged.push(detail) };
  const failure = new Error("a fault of ours");
  const throws = () => {
    throw failure;
  };
  const rejects = () => Promise.reject(failure);
  for (const listener of [throws, rejects]) guardListener(log as never, "test", listener)();
  await nextTurn();
  expect(logged).toEqual([
    { err: failure, during: "test" },
    { err: failure, during: "test" },
  ]);
});
