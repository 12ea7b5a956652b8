import { expect, it, onTestFinished } from "vitest";
import { store } from "./store.ts";
import { onUpdate, storeUpdate, storeUpdateOfAll } from "./updates.ts";

it("notifies a screen of what it shows, and of all that may have been missed", () => {
  const heard: unknown[] = [];
  onTestFinished(onUpdate(["views"], (notice) => void heard.push(notice)));
  storeUpdate(store, { kind: "people" });
  storeUpdate(store, { kind: "views" });
  storeUpdateOfAll(store);
  expect(heard).toEqual([{ kind: "views" }, null]);
});
