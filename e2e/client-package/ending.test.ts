import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { Ending } from "../../client/package/ending.ts";
import { createAtomStore } from "../../client/src/state/atom-store.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;
const turn = () => new Promise((resolve) => setImmediate(resolve));

it("holds nothing of edits that are answered, however long the connection lasts", async () => {
  const ending = new Ending(createAtomStore(), undefined);
  const edit = async () => {
    const outcome = { seq: 1 };
    await ending.orRefusal(Promise.resolve(outcome));
    return new WeakRef(outcome);
  };
  const outcome = await edit();
  await turn();
  collectGarbage();
  expect(outcome.deref()).toBeUndefined();
  expect(ending.isOver).toBe(false);
});
