import { createStore } from "jotai/vanilla";
import { expect, it } from "vitest";
import type { PresenceUser } from "../../../shared/protocol/presence.ts";
import { presenceAtom, presentOnAtom } from "./table-state.ts";

const user = (id: string, place: Partial<PresenceUser>): PresenceUser => ({
  ...{ connection: id, id, name: id, colour: "teal", mode: "viewing" },
  ...place,
});

it("notifies a field of a record of the users in it, and not of each message about others", () => {
  const store = createStore();
  const inTitle = presentOnAtom("beds", "b1", "title");
  const seen: string[][] = [];
  store.sub(inTitle, () => seen.push(store.get(inTitle).map(({ id }) => id)));
  const say = (...users: PresenceUser[]) => store.set(presenceAtom("beds"), users);
  say(user("ana", { record: "b1", field: "title" }));
  say(user("ana", { record: "b1", field: "title" }), user("ben", { record: "b2" }));
  say(user("ana", { record: "b1", field: "title" }), user("ben", { record: "b1", field: "ward" }));
  say(user("ana", { record: "b1", field: "title", mode: "editing" }));
  say();
  expect(seen).toEqual([["ana"], ["ana"], []]);
});
