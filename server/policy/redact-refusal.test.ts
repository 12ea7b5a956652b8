import { describe, expect, it } from "vitest";
import { explain, quote } from "../../shared/error-texts/explain.ts";
import type { Table } from "../../shared/model/model.ts";
import { obstacleTo } from "../../shared/policy/possible-transitions.ts";
import type { Grant } from "../../shared/policy/role.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import { serviceDesk } from "../model/templates/service-desk.ts";
import { guardedModel } from "../model/testing/guarded-model.ts";
import { redactRefusal } from "./redact-refusal.ts";
import { visibleModel } from "./visible-model.ts";

const message = "The canary must be empty.";
const table = {
  ...(serviceDesk.tables[0] as (typeof serviceDesk.tables)[number]),
  rules: [
    {
      filter: {
        and: [
          { field: "notes", op: "isEmpty" as const },
          { field: "title", op: "isEmpty" as const },
        ],
      },
      message,
    },
  ],
};
const model = { ...serviceDesk, tables: [table] };
const subject = (read: Grant["read"]) => ({
  id: "u",
  attributes: {},
  role: { id: "r", name: "R", rights: [], grants: { incidents: { read } } },
});
const problem = (rule: string) => ({ rule, ...quote(message) });

const redact = (refusal: Refusal, to: ReturnType<typeof subject>) =>
  redactRefusal(refusal, { subject: to, table, model });

describe("a refusal reveals of hidden fields", () => {
  const noNotes = subject({ hide: ["notes"] });

  it("nothing: neither their names nor their messages", () => {
    const fields = { notes: problem("required"), title: problem("required") };
    const redacted = redact(new Refusal("validation_failed", { fields }, quote(message)), noNotes);
    expect(redacted.detail).toEqual({ fields: { title: problem("required") } });
    expect(redacted.message).not.toBe(message);
    const named = explain("record.locked", { fields: ["notes"], record: "canary", state: "New" });
    const only = new Refusal("duplicate", { fields: { notes: problem("unique") } }, named);
    expect(JSON.stringify(redact(only, noNotes).toBody())).not.toMatch(/notes|canary/);
  });

  it("nothing of what a transition lacks in them", () => {
    const missing = ["notes", "title", "reason"];
    const redacted = redact(new Refusal("transition_incomplete", { missing }), noNotes);
    expect(redacted.detail).toEqual({ missing: ["title", "reason"] });
  });

  it("nor of a table that links to the record, to users who cannot read that field", () => {
    const by = { table: "incidents", field: "group" };
    const [groups] = serviceDesk.tables.filter(({ name }) => name === "groups");
    const linked = new Refusal("still_linked", { by }, explain("record.linkedBy", { ...by }));
    const readBy = (read: Grant["read"]) => {
      const { role, ...user } = subject(read);
      const grants = { ...role.grants, groups: { read: true } };
      return redactRefusal(linked, {
        subject: { ...user, role: { ...role, grants } },
        table: groups,
        model,
      });
    };
    expect(readBy(true)).toBe(linked);
    for (const read of [false, { hide: ["group"] }])
      expect(JSON.stringify(readBy(read).toBody())).not.toMatch(/incident|group/i);
  });

  it("that a rule was broken, without the sentence that names them", () => {
    const refusal = new Refusal("validation_failed", { fields: { title: problem("rule") } });
    const redacted = redact(refusal, noNotes);
    expect(redacted.detail).toMatchObject({ fields: { title: { rule: "rule" } } });
    expect(JSON.stringify(redacted.toBody())).not.toContain("canary");
    expect(JSON.stringify(visibleModel(model, noNotes))).not.toMatch(/canary|notes/);
    expect(visibleModel(model, subject(true)).tables[0]?.rules).toEqual(table.rules);
  });

  it("everything to users who see all fields, whatever the database called it", () => {
    const fields = { incidents_check: problem("check") };
    const refusal = new Refusal("validation_failed", { fields });
    expect(redact(refusal, subject(true))).toBe(refusal);
  });

  it("what the caller sent themselves", () => {
    const refusal = new Refusal("invalid_request", { fields: ["notes"] });
    expect(redact(refusal, noNotes)).toBe(refusal);
  });
});

describe("a stored refusal by a rule", () => {
  const noNotes = subject({ hide: ["notes"] });
  const stored = new Refusal("validation_failed", { fields: { title: problem("rule") } });
  const [rule] = table.rules;
  const read = (rules: typeof table.rules) =>
    redactRefusal(stored, { subject: noNotes, table: { ...table, rules }, model });
  const visibleRule = { filter: { field: "title", op: "isEmpty" as const }, message };

  it("repeats the sentence of a rule that its reader may see", () => {
    expect(read([visibleRule] as never).toBody()).toEqual(stored.toBody());
  });

  it.each([
    ["was reworded", [{ ...rule, message: "Nothing may be secret." }]],
    ["was removed", []],
    ["shares its sentence with one about a hidden field", [visibleRule, rule]],
  ])("does not repeat the sentence of one that %s", (_, rules) => {
    const redacted = read(rules as never).toBody();
    expect(redacted).toMatchObject({ fields: { title: { rule: "rule" } } });
    expect(JSON.stringify(redacted)).not.toContain("canary");
  });

  it("repeats it to users who may read all fields", () => {
    const whole = { subject: subject(true), table: { ...table, rules: [] }, model };
    expect(redactRefusal(stored, whole)).toBe(stored);
  });
});

describe("a stored refusal by a guard", () => {
  const guarded = guardedModel.tables.find(({ name }) => name === "incidents") as Table;
  const [escalate] = guarded.workflow?.transitions.filter(({ name }) => name === "escalate") ?? [];
  const author = { id: "u", role: "r", attributes: {}, transitions: true, zone: "UTC" };
  const record = { id: "i", values: { state: "New" } };
  const now = "2026-01-01T00:00:00Z";
  const obstacle = escalate && obstacleTo(escalate, guarded, record, author, now);
  if (!obstacle) throw new Error("The guard is passed.");
  const { why, ...explanation } = obstacle;
  const detail = { table: "incidents", transition: "escalate", why, possible: [] };
  const stored = new Refusal("transition_not_allowed", detail, explanation);
  const read = (to: ReturnType<typeof subject>, current: Table = guarded) =>
    redactRefusal(stored, { subject: to, table: current, model: guardedModel });
  /** The table as it is once the guard was changed, or its transition removed. */
  const changed = (guard: object | null): Table => {
    const table = structuredClone(guarded);
    const { workflow } = table;
    if (!workflow || !escalate) throw new Error("There is no such transition.");
    const others = workflow.transitions.filter(({ name }) => name !== "escalate");
    workflow.transitions = guard ? [...others, { ...escalate, ...guard }] : others;
    return table;
  };

  it("describes the guard to users who may read all its fields", () => {
    expect(stored.toBody()).toMatchObject({ messageKey: "record.guard" });
    expect(read(subject(true))).toBe(stored);
  });

  it.each([
    ["who may no longer read one of its fields", guarded],
    ["after the guard was changed", changed({ guard: { field: "title", op: "isEmpty" } })],
    ["after the transition was removed", changed(null)],
  ])("does not describe it to users %s", (_, current) => {
    const redacted = read(subject({ hide: ["priority"] }), current).toBody();
    expect(redacted).toMatchObject({ why: "guard", messageKey: "record.guardHidden" });
    expect(JSON.stringify(redacted)).not.toMatch(/priority|critical/i);
  });
});
