import { describe, expect, it } from "vitest";
import { rebase, resolve } from "../../../../shared/document/draft.ts";
import { treeToRole } from "../../../../shared/policy/role-tree.ts";
import type { RoleInfo } from "../../../../shared/protocol/roles.ts";
import { setGrant } from "./grant-edits.ts";
import { draftOf, patchOf, withForm } from "./role-draft.ts";

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

describe("somebody else saves meanwhile", () => {
  const mine = withForm(draftOf(role), setGrant(form(), "incidents", "history", true));

  it("their other changes join mine", () => {
    const theirs = { ...role, name: "Front desk" };
    const next = rebase(mine, draftOf(theirs).base);
    expect(next.conflicts).toEqual([]);
    expect(treeToRole(next.mine)).toMatchObject({
      name: "Front desk",
      grants: { incidents: { history: true } },
    });
    expect(patchOf(next)?.name).toBeUndefined();
  });

  it("the same part is mine until I choose", () => {
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
