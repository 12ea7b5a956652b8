import { expect, it } from "vitest";
import type { Role } from "../../shared/policy/role.ts";
import { guardedModel } from "../model/testing/guarded-model.ts";
import { type Misfit, TableMisfit } from "../store/model-fit.ts";
import { misfitRefusal } from "./misfit-refusal.ts";

const misfits: Misfit[] = [
  { table: "incidents", field: "impact", column: "impact", type: null },
  { table: "incidents", field: "number", column: "number", type: "bytea" },
];

const refusalFor = (grants: Role["grants"]) => {
  const role = { id: "r", name: "R", rights: [], grants };
  const subject = { id: "u", attributes: {}, role };
  return misfitRefusal(new TableMisfit(misfits), { subject, model: guardedModel });
};

it("names the columns of a table that no longer fits the model", () => {
  const { code, message, detail } = refusalFor({ "*": { read: true } });
  expect(code).toBe("model_mismatch");
  expect(message).toMatch(/no longer fits the model: column impact is missing\.$/);
  expect(detail).toMatchObject({ table: "incidents", fields: ["impact", "number"] });
});

it("names no field or table that is hidden from the user", () => {
  const hiding = refusalFor({ incidents: { read: { hide: ["impact"] } } });
  expect(hiding.message).toMatch(/column number has type bytea\.$/);
  expect(hiding.detail.fields).toEqual(["number"]);
  const hidingBoth: Role["grants"] = { incidents: { read: { hide: ["impact", "number"] } } };
  for (const grants of [hidingBoth, {}]) {
    const hidden = JSON.stringify(refusalFor(grants).toBody());
    expect(hidden).not.toMatch(/impact|number|ncidents|bytea/);
  }
});
