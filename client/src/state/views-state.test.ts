import { expect, it, onTestFinished } from "vitest";
import type { ViewInfo } from "../../../shared/protocol/views.ts";
import { store } from "./store.ts";
import { cacheView, viewsAtom } from "./views-state.ts";

const view = (id: string, name: string, shared = false) =>
  ({ id, name, shared, table: "views-state" }) as ViewInfo;

it("shows a view as it was answered in place of the one before, shared ones first and by name", () => {
  const atom = viewsAtom("views-state");
  onTestFinished(() => store.set(atom, null));
  cacheView(view("a", "Early"));
  expect(store.get(atom)).toBeNull();
  store.set(atom, [view("a", "Alpha"), view("b", "Beta")]);
  cacheView(view("c", "Gamma", true));
  cacheView(view("a", "Zeta"));
  expect(store.get(atom)?.map(({ name }) => name)).toEqual(["Gamma", "Beta", "Zeta"]);
});
