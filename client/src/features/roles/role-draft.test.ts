import { beforeEach, describe, expect, it } from "vitest";
import type { Grant } from "../../../../shared/policy/role.ts";
import type { RoleInfo } from "../../../../shared/protocol/roles.ts";
import { SharedDocument } from "../../sync/documents/shared-document.ts";
import { setGrant } from "./grant-edits.ts";
import { patchOf, type RoleDraft, roleKind } from "./role-draft.ts";

const role: RoleInfo = {
  id: "r",
  name: "Desk",
  builtIn: false,
  rights: ["users"],
  grants: { "*": { read: true }, incidents: { read: true, create: true } },
};

/** What the browser has stored, if anything, as the next page reads it. */
let stored: unknown = null;
beforeEach(() => {
  stored = null;
});

const openDraft = (now = role): RoleDraft =>
  new SharedDocument(roleKind, now, {
    own: () => stored,
    put: (read) => {
      stored = JSON.parse(JSON.stringify(read()));
    },
  });
const set = (draft: RoleDraft, right: keyof Grant, value: boolean, table = "incidents") =>
  draft.edit((form) => setGrant(form, table, right, value));
const sentOf = (draft: RoleDraft) => patchOf(draft.state);

describe("what is sent of a draft", () => {
  it("is what changed, with what was seen of it", () => {
    const draft = openDraft();
    expect(sentOf(draft)).toBeNull();
    set(draft, "create", false);
    expect(sentOf(draft)).toEqual({
      grants: { incidents: { create: null } },
      base: { grants: { incidents: { read: true, create: true } } },
    });
  });

  it("gives a table a grant of its own, begun with what held for it until then", () => {
    const draft = openDraft();
    set(draft, "history", true, "groups");
    expect(sentOf(draft)).toEqual({
      grants: { groups: { read: true, history: true } },
      base: { grants: { groups: null } },
    });
  });

  it("takes a table's own grant away", () => {
    const draft = openDraft();
    draft.edit(({ grants, ...rest }) => ({ ...rest, grants: { "*": grants["*"] ?? {} } }));
    expect(sentOf(draft)?.grants).toEqual({ incidents: null });
  });
});

describe("what is left of a draft that was saved", () => {
  it("is what was changed while it was saved, also where the notice came before the answer", () => {
    for (const isNoticed of [false, true]) {
      const draft = openDraft();
      set(draft, "history", true);
      const sent = draft.state;
      set(draft, "create", false);
      const grants = { ...role.grants, incidents: { read: true, create: true, history: true } };
      if (isNoticed) draft.receive({ ...role, name: "Front desk", grants });
      draft.saved(sent);
      expect(sentOf(draft)).toEqual({
        grants: { incidents: { create: null } },
        base: { grants: { incidents: { read: true, create: true, history: true } } },
      });
      draft.undo();
      stored = null;
    }
  });

  it("is nothing where nothing was changed meanwhile", () => {
    const draft = openDraft();
    set(draft, "history", true);
    draft.saved(draft.state);
    expect([draft.state.changed, stored]).toEqual([false, null]);
  });

  it("is the way back if its changes were taken back while it was saved", () => {
    const draft = openDraft();
    set(draft, "history", true);
    const sent = draft.state;
    draft.discard();
    draft.saved(sent);
    expect(sentOf(draft)?.grants).toEqual({ incidents: { history: null } });
  });
});

describe("a draft of a role that somebody else saves meanwhile", () => {
  const narrow = { incidents: { read: { hide: ["caller"] }, create: true } };
  const theirs: RoleInfo = { ...role, grants: { ...role.grants, ...narrow } };

  it("keeps changes of others to other parts", () => {
    const draft = openDraft();
    set(draft, "history", true);
    draft.receive({ ...role, name: "Front desk" });
    expect([draft.conflicts(), draft.state.newer]).toEqual([[], null]);
    expect(draft.state.draft).toMatchObject({
      name: "Front desk",
      grants: { incidents: { history: true } },
    });
    expect(sentOf(draft)?.name).toBeUndefined();
  });

  it.each(["mine", "theirs"] as const)("keeps mine until a side is chosen (%s)", (side) => {
    const draft = openDraft();
    set(draft, "read", false);
    draft.receive(theirs);
    draft.receive(theirs);
    const [conflict, ...others] = draft.conflicts();
    expect([conflict?.path.join("/"), others]).toEqual(["grants/incidents/read", []]);
    if (conflict) draft.resolve(conflict, side);
    draft.receive(theirs);
    expect([draft.conflicts(), draft.state.newer]).toEqual([[], null]);
    if (side === "mine") expect(sentOf(draft)?.base?.grants).toMatchObject(narrow);
    else expect(sentOf(draft)).toBeNull();
  });

  it("has no conflict any more once they take their change back", () => {
    const draft = openDraft();
    set(draft, "read", false);
    draft.receive(theirs);
    draft.receive(role);
    expect([draft.conflicts(), draft.state.changed]).toEqual([[], true]);
  });

  it("shows what they saved when it is given up, and can be brought back", () => {
    const draft = openDraft();
    set(draft, "read", false);
    draft.receive(theirs);
    const undo = draft.discard();
    expect([draft.state.changed, draft.state.draft.grants.incidents]).toEqual([
      ...[false, narrow.incidents],
    ]);
    undo();
    expect(sentOf(draft)?.grants).toEqual({ incidents: { read: null } });
  });

  it.each(["mine", "theirs"] as const)(
    "removing a grant of which I changed a right is a conflict about the whole grant (%s)",
    (side) => {
      const without: RoleInfo = { ...role, grants: { "*": { read: true } } };
      const draft = openDraft();
      set(draft, "history", true);
      draft.receive(without);
      draft.receive(without);
      expect(draft.conflicts().map(({ path }) => path.join("/"))).toEqual(["grants/incidents"]);
      for (const conflict of draft.conflicts()) draft.resolve(conflict, side);
      expect(sentOf(draft)).toEqual(
        side === "theirs"
          ? null
          : {
              grants: { incidents: { read: true, create: true, history: true } },
              base: { grants: { incidents: null } },
            },
      );
    },
  );

  it("goes on after a reload with its conflict, and not with a role that it does not fit", () => {
    const before = openDraft();
    set(before, "read", false);
    const after = openDraft(theirs);
    expect([after.state.changed, after.conflicts()]).toMatchObject([true, [{}]]);
    stored = { base: 1 };
    expect(openDraft().state.changed).toBe(false);
  });
});
