import { describe, expect, it } from "vitest";
import type { Field, Model, Table } from "../../../shared/model/model.ts";
import { serveTests } from "../testing/test-server.ts";

const MODEL = "/api/v1/model";
const THINGS = "/api/v1/tables/things/records";

const { owner, member } = await serveTests("empty");

const current = async () =>
  (await owner.call("GET", `${MODEL}/versions/current`)).body.document as Model;
const put = (model: Model, query = "") => owner.call("PUT", `${MODEL}${query}`, model);
const version = async () => (await owner.call("GET", MODEL)).body.version as number;

/** Publishes a changed copy of the model. */
async function change(edit: (things: Table, model: Model) => void, query = "") {
  const model = (await owner.call("GET", `${MODEL}/versions/current`)).body.document as Model;
  edit(model.tables[0] as Table, model);
  return put(model, query);
}
const field = (name: string, more: Partial<Field> = {}): Field => ({
  name,
  label: name,
  type: "text",
  ...more,
});
const rename = (table: Table, from: string, to: string) => {
  const found = table.fields.find(({ name }) => name === from) as Field;
  found.name = to;
  const swap = (names: string[]) => names.map((name) => (name === from ? to : name));
  table.columns = swap(table.columns);
  if (table.display === from) table.display = to;
};
const things: Table = {
  name: "things",
  label: "Things",
  recordLabel: "thing",
  display: "title",
  fields: [field("title"), field("size", { type: "text" }), field("note")],
  columns: ["title", "size", "note"],
  sort: [],
};
const records = async () =>
  ((await owner.call("GET", THINGS)).body.records as { id: string; values: object }[]).map(
    ({ values }) => values,
  );

it("takes a model of more bytes than other bodies may have", async () => {
  const fields = Array.from({ length: 200 }, (_, n) =>
    field(`field_${n}`, { help: `What to write into field ${n}. `.repeat(4) }),
  );
  const tables = Array.from({ length: 60 }, (_, n) => ({
    ...{ ...things, fields, display: "field_0", columns: [] },
    name: `table_${n}`,
  }));
  const answer = await put({ version: 999, tables });
  expect({ status: answer.status, code: answer.body.code }).toEqual({
    status: 409,
    code: "model_conflict",
  });
});

describe("PUT /model", () => {
  it("creates tables that can be used at once", async () => {
    const { status, body } = await put({ version: 0, tables: [things] });
    expect([status, body]).toMatchObject([200, { version: 1, lossy: false }]);
    const values = { title: "One", size: "12", note: "keep" };
    expect((await owner.call("POST", THINGS, { record: "a", values })).status).toBe(201);
    const second = { title: "Two", size: "large", note: "keep" };
    await owner.call("POST", THINGS, { record: "b", values: second });
    expect(await version()).toBe(1);
  });

  it("answers the plan in words and SQL with dryRun, changing nothing", async () => {
    const { status, body } = await change((table) => {
      table.fields.push(field("extra"));
      rename(table, "note", "remark");
    }, "?dryRun=1");
    expect(status).toBe(200);
    const steps = body.steps as { sentence: string; sql: string[] }[];
    expect(steps.map(({ sentence }) => sentence)).toEqual(
      expect.arrayContaining([
        "Rename the field “note” of Things to “remark”.",
        "Add the field extra to Things.",
      ]),
    );
    expect(steps.flatMap(({ sql }) => sql)).toEqual([
      expect.stringContaining('alter table "things" add column "extra"'),
    ]);
    expect(await version()).toBe(1);
  });

  it("refuses one that is based on another version, and names the published one", async () => {
    const { status, body } = await put({ version: 0, tables: [] });
    expect([status, body.code, body.version]).toEqual([409, "model_conflict", 1]);
  });

  it("refuses an invalid one, with each place and a sentence", async () => {
    const { status, body } = await change((table) => table.fields.push(field("Title")));
    expect([status, body.code]).toEqual([422, "validation_failed"]);
    expect(body.problems).toEqual([
      {
        path: ["tables", 0, "fields", 3, "name"],
        message: expect.stringContaining("look the same"),
        messageKey: "model.similarFields",
        messageValues: { earlier: '"title"', name: '"Title"' },
      },
    ]);
    const unknown = await owner.call("PUT", MODEL, { version: 1, tables: [], more: true });
    expect([unknown.status, unknown.body.code]).toEqual([400, "invalid_request"]);
  });

  it("preserves the values of a renamed field, its history, and edits under its old name", async () => {
    expect((await change((table) => rename(table, "note", "remark"))).status).toBe(200);
    expect(await records()).toContainEqual({ title: "One", size: "12", remark: "keep" });
    const edit = { set: { note: "by its old name" }, base: { note: "keep" } };
    expect((await owner.call("PATCH", `${THINGS}/a`, edit)).status).toBe(200);
    const { items } = (await owner.call("GET", `${THINGS}/a/history`)).body as {
      items: { fields: Record<string, unknown> }[];
    };
    expect(items.map(({ fields }) => fields.remark)).toEqual([
      { before: "keep", after: "by its old name" },
      { before: null, after: "keep" },
    ]);
  });

  it("names the losses of a lossy plan and applies it only with confirmation", async () => {
    const retype = (table: Table) => {
      (table.fields.find(({ name }) => name === "size") as Field).type = "integer";
    };
    const refused = await change(retype);
    expect([refused.status, refused.body.rule]).toEqual([422, "lossy"]);
    const [step] = refused.body.plan as { loses: { rows: number } }[];
    expect(step?.loses.rows).toBe(1);
    expect((await change(retype, "?confirm=lossy")).status).toBe(200);
    const sizes = (await records()).map((values) => (values as { size: unknown }).size);
    expect(sizes).toEqual([12, null]);
  });

  it("records in the history what was emptied, and by whom", async () => {
    const { body } = await owner.call("GET", `${THINGS}/b/history`);
    const [last] = body.items as { fields: object; by: { kind: string } }[];
    expect([last?.fields, last?.by.kind]).toEqual([
      { size: { before: "large", after: null } },
      "user",
    ]);
  });

  it("refuses what the records do not allow yet", async () => {
    const { status, body } = await change((table) => {
      (table.fields.find(({ name }) => name === "size") as Field).required = true;
    });
    expect([status, body.rule]).toEqual([422, "blocked"]);
  });

  it("gives a new field of an old name its own column: no old values appear", async () => {
    await change((table) => {
      table.fields = table.fields.filter(({ name }) => name !== "remark");
      table.columns = ["title", "size"];
    }, "?confirm=lossy");
    await change((table) => table.fields.push(field("remark")));
    expect(await records()).toContainEqual({ title: "One", size: 12, remark: null });
    const { items } = (await owner.call("GET", `${THINGS}/a/history`)).body as {
      items: { fields: Record<string, unknown> }[];
    };
    expect(items.flatMap(({ fields }) => Object.keys(fields))).not.toContain("remark");
  });

  it("renames tables, also two that swap their names, with their records and links", async () => {
    await change((_, model) => {
      const link = field("thing", { type: "link", target: "things" });
      const others = { ...things, name: "others", label: "Others" };
      model.tables.push({ ...others, fields: [field("title"), link], columns: ["title"] });
    });
    const values = { title: "Linked", thing: "a" };
    await owner.call("POST", "/api/v1/tables/others/records", { record: "o", values });
    const swapped = await change((table, model) => {
      const other = model.tables[1] as Table;
      [table.name, other.name] = ["others", "things"];
      (other.fields[1] as Field).target = "others";
    });
    expect([swapped.status, swapped.body]).toMatchObject([200, {}]);
    expect(await records()).toEqual([values]);
    const history = await owner.call("GET", `${THINGS}/o/history`);
    expect(history.body.total).toBe(1);
  });

  it("empties links with their target if they are declared so, else refuses", async () => {
    const target = "/api/v1/tables/others/records/a?overwrite=true";
    expect((await owner.call("DELETE", target)).body.code).toBe("still_linked");
    await change((_, model) => {
      (model.tables[1]?.fields[1] as Field).onDelete = "unlink";
    });
    expect((await owner.call("DELETE", target)).status).toBeLessThan(300);
    expect(await records()).toEqual([{ title: "Linked", thing: null }]);
  });

  it("removes a table and no longer answers for it", async () => {
    const removed = await change((_, model) => model.tables.splice(1, 1), "?confirm=lossy");
    expect(removed.status).toBe(200);
    expect((await owner.call("GET", THINGS)).status).toBe(404);
  });
});

describe("the versions of the model", () => {
  it("can all be read", async () => {
    const { body } = await owner.call("GET", `${MODEL}/versions`);
    expect(body.total).toBe(await version());
    const first = await owner.call("GET", `${MODEL}/versions/1`);
    expect((first.body.document as Model).tables[0]?.fields).toHaveLength(3);
    expect((await owner.call("GET", `${MODEL}/versions/999`)).status).toBe(404);
  });

  it("are whole, and name a hidden field to nobody without the right `model`", async () => {
    const [table] = (await current()).tables;
    const hidden = "secret_field";
    await change((first) => first.fields.push(field(hidden)));
    const grants = { [table?.name ?? ""]: { read: { hide: [hidden] }, history: true } };
    const addMember = async (name: string, rights: string[]) => {
      const role = await owner.call("POST", "/api/v1/roles", { name, rights, grants });
      return member(String(role.body.id));
    };
    const reader = await addMember("Readers", ["activity", "system", "webhooks"]);
    const paths = [MODEL, ...["", "/current", "/1"].map((path) => `${MODEL}/versions${path}`)];
    const uses = `${MODEL}/uses?table=${table?.name}`;
    for (const path of [...paths, uses]) {
      const { status, body } = await reader.call("GET", path);
      expect([path, status]).toEqual([path, path === MODEL ? 200 : 403]);
      expect(JSON.stringify(body)).not.toContain(hidden);
    }
    // SECURITY.md says so.
    const designer = await addMember("Designers", ["model"]);
    expect((await designer.call("GET", MODEL)).status).toBe(200);
    const { body } = await designer.call("GET", `${MODEL}/versions/current`);
    expect(JSON.stringify(body)).toContain(hidden);
  });

  it("are published unchanged when the stored one is published again", async () => {
    const { body } = await put(await current());
    expect(body.steps).toEqual([]);
  });

  it("have a published form", async () => {
    const { body } = await owner.call("GET", "/api/v1/model.schema.json");
    expect(body).toMatchObject({ type: "object", additionalProperties: false });
  });
});
