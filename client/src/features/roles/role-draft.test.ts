import { describe, expect, it } from "vitest";
import { formOf } from "../../../../shared/policy/role-parts.ts";
import type { RoleInfo } from "../../../../shared/protocol/roles.ts";
import { setGrant } from "./grant-edits.ts";
import { clashesOf, draftOf, patchOf, rebase, settle, withForm } from "./role-draft.ts";

const role: RoleInfo = {
  id: "r",
  name: "Desk",
  builtIn: false,
  rights: ["users"],
  grants: { "*": { read: true }, incidents: { read: true, create: true } },
};
const form = () => formOf(draftOf(role).mine);

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
    const next = rebase(mine, theirs);
    expect(clashesOf(mine, theirs)).toEqual([]);
    expect(formOf(next.mine)).toMatchObject({
      name: "Front desk",
      grants: { incidents: { history: true } },
    });
    expect(patchOf(next)?.name).toBeUndefined();
  });

  it("the same part is mine until I choose", () => {
    const shut = withForm(draftOf(role), setGrant(form(), "incidents", "read", false));
    const narrow = { incidents: { read: { hide: ["caller"] }, create: true } };
    const theirs: RoleInfo = { ...role, grants: { ...role.grants, ...narrow } };
    const next = rebase(shut, theirs);
    const [part = ""] = clashesOf(next, theirs);
    expect(part).toBe("grants/incidents/read");
    expect(clashesOf(settle(next, part, "mine", theirs), theirs)).toEqual([]);
    expect(patchOf(settle(next, part, "mine", theirs))?.base?.grants).toMatchObject(narrow);
    expect(patchOf(settle(next, part, "theirs", theirs))).toBeNull();
  });
});
