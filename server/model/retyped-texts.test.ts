import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import { type Field, findField, type Table } from "../../shared/model/model.ts";
import { testIdentity } from "../commands/testing/command-environment.ts";
import { saveModel } from "./save-model.ts";
import {
  createModelEnvironment,
  fieldOf,
  type ModelEnvironment,
  tableOf,
} from "./testing/model-environment.ts";

const owner = testIdentity("owner", "owner");
/** What loses something as a number, and what does not. */
const codes = ["01234", "+4930123456", "-007", " 0012 "];
const numbers = ["0", "-7", "120", " 12 "];

describe.each(databases)("texts that become numbers on $name", (kind) => {
  let environment: ModelEnvironment;
  beforeAll(async () => {
    environment = await createModelEnvironment(kind);
    const fields = [fieldOf("code"), fieldOf("amount"), fieldOf("data", { type: "json" })];
    await environment.change((model) => model.tables.push(tableOf("parts", fields)));
    const ops = codes.map((code, at) => ({
      ...{ op: "create" as const, table: "parts", record: `p${at}` },
      values: { code, amount: numbers[at] ?? null, data: code },
    }));
    const { results } = await environment.commands.mutate(owner, { ops });
    expect(results.map(({ ok }) => ok)).toEqual(codes.map(() => true));
  });
  afterAll(() => environment[Symbol.asyncDispose]());

  const planOf = (name: string, to: Partial<Field>) => {
    const model = structuredClone(environment.model());
    Object.assign(findField(model.tables[0] as Table, name) ?? {}, to);
    return saveModel(environment.models, { model, by: "user:owner", dryRun: true });
  };

  it.each([{ type: "integer" }, { type: "decimal", scale: 2 }] satisfies Partial<Field>[])(
    "lose leading zeros and a plus, and the plan says so: %o",
    async (to) => {
      for (const name of ["code", "data"]) {
        expect(await planOf(name, to)).toMatchObject({
          lossy: true,
          steps: [{ kind: "retypeField", loses: { rows: codes.length } }],
        });
      }
      expect(await planOf("amount", to)).toMatchObject({ lossy: false });
    },
  );
});
