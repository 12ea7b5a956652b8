import { describe, expect, it } from "vitest";
import { rebase, resolve } from "../../../../shared/document/draft.ts";
import { treeToRole } from "../../../../shared/policy/role-tree.ts";
import type { RoleInfo } from "../../../../shared/protocol/roles.ts";
import { setGrant } from "./grant-edits.ts";
import { draftAfterSaving, draftOf, patchOf, withForm } from "./role-draft.ts";

const role: RoleInfo = {
  id: "r",
  name: "Desk",
  builtIn: false,
  rights: ["users"],
  grants: { "*": { read: true }, incidents: { read: true, create: true } },
};
const form = () => treeToRole(draftOf(role).mine);

describe("what is sent of a draft", () => {
  it("is what changed, with what was seen of it", () => {
    const draft = withForm(draftOf(role), setGrant(form(), "incidents", "create", false));
    expect(patchOf(draft)).toEqual({
      grants: { incidents: { create: null } },
      base: { grants: { incidents: { read: true, create: true } } },
    });
    expect(patchOf(draftOf(role))).toBeNull();
  });

  it("gives a table a grant of its own, begun with what held for it until then", () => {
    const draft = withForm(draftOf(role), setGrant(form(), "groups", "history", true));
    expect(patchOf(draft)).toEqual({
      grants: { groups: { read: true, history: true } },
      base: { grants: { groups: null } },
    });
  });

  it("takes a table's own grant away", () => {
    const { grants, ...rest } = form();
    const draft = withForm(draftOf(role), { ...rest, grants: { "*": grants["*"] ?? {} } });
    expect(patchOf(draft)?.grants).toEqual({ incidents: null });
  });
});

describe("what is left of a draft that was saved", () => {
  const sent = withForm(draftOf(role), setGrant(form(), "incidents", "history", true));

  it("is what was changed while it was saved", () => {
    const now = withForm(sent, setGrant(treeToRole(sent.mine), "incidents", "create", false));
    const left = draftAfterSaving(sent, now);
    expect(left && patchOf(left)).toEqual({
      grants: { incidents: { create: null } },
      base: { grants: { incidents: { read: true, create: true, history: true } } },
    });
    expect(draftAfterSaving(sent, sent)).toBeNull();
  });

  it("is the way back if its changes were taken back while it was saved", () => {
    const left = draftAfterSaving(sent, null);
    expect(left && patchOf(left)?.grants).toEqual({ incidents: { history: null } });
  });
});

describe("a draft of a role that somebody else saves meanwhile", () => {
  const mine = withForm(draftOf(role), setGrant(form(), "incidents", "history", true));

  it("keeps changes of others to other parts", () => {
    const theirs = { ...role, name: "Front desk" };
    const next = rebase(mine, draftOf(theirs).base);
    expect(next.conflicts).toEqual([]);
    expect(treeToRole(next.mine)).toMatchObject({
      name: "Front desk",
      grants: { incidents: { history: true } },
    });
    expect(patchOf(next)?.name).toBeUndefined();
  });

  it("keeps mine until a side is chosen", () => {
    const shut = withForm(draftOf(role), setGrant(form(), "incidents", "read", false));
    const narrow = { incidents: { read: { hide: ["caller"] }, create: true } };
    const theirs: RoleInfo = { ...role, grants: { ...role.grants, ...narrow } };
    const stored = draftOf(theirs).base;
    const next = rebase(rebase(shut, stored), stored);
    const [conflict] = next.conflicts;
    expect(conflict?.path.join("/")).toBe("grants/incidents/read");
    if (!conflict) return;
    const [own, other] = [resolve(next, conflict, "mine"), resolve(next, conflict, "theirs")];
    expect(rebase(own, stored).conflicts).toEqual([]);
    expect(patchOf(own)?.base?.grants).toMatchObject(narrow);
    expect(patchOf(other)).toBeNull();
  });

  it("removing a grant of which I changed a right is a conflict about the whole grant", () => {
    const without: RoleInfo = { ...role, grants: { "*": { read: true } } };
    const stored = draftOf(without).base;
    const next = rebase(rebase(mine, stored), stored);
    expect(next.conflicts.map(({ path }) => path.join("/"))).toEqual(["grants/incidents"]);
    const [conflict] = next.conflicts;
    if (!conflict) return;
    expect(patchOf(resolve(next, conflict, "mine"))).toEqual({
      grants: { incidents: { read: true, create: true, history: true } },
      base: { grants: { incidents: null } },
    });
    expect(patchOf(resolve(next, conflict, "theirs"))).toBeNull();
  });
});
