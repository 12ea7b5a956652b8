import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { childrenOf } from "./database-holder.ts";

it("finds no children of a process that has ended", () => {
  expect(childrenOf(spawnSync("true").pid)).toEqual([]);
});
