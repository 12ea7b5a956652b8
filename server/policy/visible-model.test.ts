import { describe, expect, it } from "vitest";
import type { Role } from "../../shared/policy/role.ts";
import { guardedModel } from "../model/testing/guarded-model.ts";
import { visibleModel } from "./visible-model.ts";

const subject = (grants: Role["grants"]) => ({
  id: "u",
  attributes: {},
  role: { id: "r", name: "R", rights: [], grants },
});

describe("the model that a user sees", () => {
  it("is complete if everything may be read", () => {
    expect(visibleModel(guardedModel, subject({ "*": { read: true } }))).toEqual(guardedModel);
  });

  it("is empty if nothing is granted", () => {
    expect(visibleModel(guardedModel, subject({})).tables).toEqual([]);
  });

  it("nowhere names a hidden field or table", () => {
    const hide = ["impact", "number", "opened_at", "state", "caller"];
    const model = visibleModel(guardedModel, subject({ incidents: { read: { hide } } }));
    expect(model.tables.map(({ name }) => name)).toEqual(["incidents"]);
    const text = JSON.stringify(model);
    const names = [...hide.filter((name) => name !== "number"), "services", "groups", "people"];
    for (const name of names) expect(text).not.toContain(`"${name}"`);
    expect(text).not.toMatch(/"-?(number|opened_at)"/);
  });

  it("includes the parts of a workflow that name visible fields: guards, needs, locks and what is set", () => {
    const hide = ["priority", "assignee", "location", "impact"];
    const model = visibleModel(guardedModel, subject({ incidents: { read: { hide } } }));
    const workflow = model.tables[0]?.workflow;
    const find = (name: string) => workflow?.transitions.find((one) => one.name === name);
    expect(find("escalate")).not.toHaveProperty("guard");
    expect(find("take")?.sets).toEqual({ opened_at: "$now", notes: "taken" });
    expect(find("finish")?.requires).toEqual(["resolution_code"]);
    const locks = workflow?.states.find(({ value }) => value === "Active")?.locks;
    expect(locks).toEqual(["resolution_code", "opened_at"]);
  });
});
