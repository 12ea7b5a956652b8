import { describe, expect, it } from "vitest";
import { diff } from "../../../../../shared/document/diff.ts";
import { isSame } from "../../../../../shared/document/document-node.ts";
import { type Choices, keyOfConflict } from "../../../../../shared/document/draft.ts";
import { merge } from "../../../../../shared/document/merge.ts";
import { checkModel } from "../../../../../shared/model/check-model.ts";
import { findField, type Model, type Table } from "../../../../../shared/model/model.ts";
import {
  addField,
  addTable,
  changeField,
  changeTable,
  removeField,
  renameField,
  renameTable,
  withIds,
  withoutNewIds,
} from "./edit-model.ts";
import { isSameModel, modelToTree, treeToModel } from "./model-tree.ts";
import { nameFor } from "./new-names.ts";

const model: Model = withIds({
  version: 3,
  tables: [
    {
      name: "groups",
      label: "Groups",
      recordLabel: "group",
      display: "name",
      idFrom: "name",
      fields: [{ name: "name", label: "Name", type: "text" }],
      columns: ["name"],
      sort: ["name"],
    },
    {
      name: "jobs",
      label: "Jobs",
      recordLabel: "job",
      display: "title",
      stateField: "state",
      columns: ["title", "state", "group"],
      sort: ["-opened", "title"],
      fields: [
        { name: "title", label: "Title", type: "text", required: true },
        {
          name: "state",
          label: "State",
          type: "select",
          options: [{ value: "New", colour: "blue" }, { value: "Done" }],
        },
        { name: "group", label: "Group", type: "link", target: "groups" },
        { name: "opened", label: "Opened", type: "date" },
        { name: "closed", label: "Closed", type: "date" },
        { name: "urgent", label: "Urgent", type: "boolean", default: false },
        {
          name: "days",
          label: "Days",
          type: "integer",
          expression: "days_between(opened, closed)",
        },
      ],
      rules: [
        {
          filter: { field: "closed", op: "gte", value: { field: "opened" } },
          message: "Closed before opened.",
        },
      ],
      workflow: {
        states: [
          { value: "New", open: true, initial: true },
          { value: "Done", open: false, locks: ["title"] },
        ],
        transitions: [
          {
            name: "finish",
            label: "Finish",
            from: ["New"],
            to: "Done",
            requires: ["closed"],
            guard: { field: "group", op: "isEmpty", value: false },
            sets: { closed: "2026-01-01" },
          },
        ],
      },
    },
  ],
});
const jobs = (of: Model) => of.tables.find(({ id }) => id === "jobs") as Table;
const onJobs = (change: (table: Table) => Table, of = model) => changeTable(of, "jobs", change);
const relabel = (id: string, label: string) => (of: Model) =>
  onJobs((table) => changeField(table, id, (field) => ({ ...field, label })), of);

describe("the tree of a model", () => {
  it("is read back as the same model", () => {
    expect(checkModel(model)).toEqual([]);
    expect(treeToModel(modelToTree(model), 3)).toEqual(model);
  });

  it("reports a rename as one difference, even if other parts refer to the field", () => {
    const next = renameField(model, "jobs", "closed", "ended");
    expect(checkModel(next)).toEqual([]);
    expect(jobs(next).rules?.[0]?.filter).toEqual({
      field: "ended",
      op: "gte",
      value: { field: "opened" },
    });
    expect(findField(jobs(next), "days")?.expression).toBe("days_between(opened, ended)");
    expect(jobs(next).workflow?.transitions[0]).toMatchObject({
      requires: ["ended"],
      sets: { ended: "2026-01-01" },
    });
    const found = diff(modelToTree(model), modelToTree(next));
    expect(found.map(({ path }) => path)).toEqual([["tables", "jobs", "fields", "closed", "name"]]);
  });

  it("lets links follow a renamed table", () => {
    const next = renameTable(model, "groups", "teams");
    expect(findField(jobs(next), "group")?.target).toBe("teams");
    expect(checkModel(next)).toEqual([]);
  });
});

describe("a comparison of models", () => {
  it("looks only into tables that an edit replaced", () => {
    let looks = 0;
    const get = (table: Table, name: string) => {
      if (name === "fields") looks += 1;
      return table[name as keyof Table];
    };
    const tables = model.tables.map((table) => new Proxy(table, { get }));
    const watched = { ...model, tables };
    const edited = changeTable(watched, "groups", (table) => ({ ...table, label: "Teams" }));
    looks = 0;
    expect(isSameModel(watched, edited)).toBe(false);
    expect(isSameModel(watched, { ...watched, tables: [...tables] })).toBe(true);
    expect(looks).toBe(1);
  });

  it("finds what the trees differ in, and nothing else", () => {
    const copy = structuredClone(model);
    const swapped = { ...model, tables: model.tables.toReversed() };
    const renamed = renameTable(model, "groups", "teams");
    expect([copy, swapped, renamed].map((other) => isSameModel(model, other))).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe("an edit", () => {
  it("adds new fields under unused names, and sends them without the builder's ids", () => {
    const twoTables = addTable(addTable(model, "+1"), "+2");
    const names = changeTable(twoTables, "+1", (table) => addField(addField(table, "+3"), "+4"));
    expect(checkModel(names)).toEqual([]);
    const sent = withoutNewIds(names);
    expect(sent.tables.map((table) => [table.name, table.id])).toEqual([
      ["groups", "groups"],
      ["jobs", "jobs"],
      ["new_table", undefined],
      ["new_table_2", undefined],
    ]);
    expect(sent.tables[2]?.fields.map(({ name }) => name)).toEqual([
      "title",
      "new_field",
      "new_field_2",
    ]);
  });

  it("removes a field from lists, and leaves rules and guards that use it to the user", () => {
    const next = onJobs((table) => removeField(removeField(table, "title"), "closed"));
    expect(jobs(next)).toMatchObject({
      display: "state",
      columns: ["state", "group"],
      sort: ["-opened"],
    });
    expect(checkModel(next).map(({ path }) => path.join("."))).toEqual([
      "tables.1.fields.4.expression",
      "tables.1.rules.0.filter",
    ]);
  });

  it("derives names from labels in any script", () => {
    expect(nameFor("  Größe (cm)! ", [], "field")).toBe("größe_cm");
    expect(nameFor("顧客", ["顧客"], "field")).toBe("顧客_2");
    expect(nameFor("Id", [], "field")).toBe("id_2");
    expect(nameFor("🙂", ["field"], "field")).toBe("field_2");
    expect(
      new TextEncoder().encode(nameFor("ä".repeat(99), [], "field")).length,
    ).toBeLessThanOrEqual(63);
  });
});

describe("two users who change the model at once", () => {
  const labelOf = (of: Model, id: string) => findField(jobs(of), id)?.label;
  const mergeModels = (base: Model, mine: Model, theirs: Model, choices: Choices = {}) => {
    const { merged, conflicts } = merge(modelToTree(base), modelToTree(mine), modelToTree(theirs), {
      choose: (conflict) => choices[keyOfConflict(conflict)] ?? "mine",
    });
    return { model: treeToModel(merged, theirs.version), conflicts };
  };

  it("both keep changes to parts that only one of them edited", () => {
    const mine = onJobs((table) => addField(table, "+5"), relabel("title", "Subject")(model));
    const theirs = onJobs((table) => removeField(table, "group"), {
      ...relabel("state", "Status")(model),
      version: 4,
    });
    const { model: merged, conflicts } = mergeModels(model, mine, theirs);
    expect(conflicts).toEqual([]);
    expect([merged.version, labelOf(merged, "title"), labelOf(merged, "state")]).toEqual([
      4,
      "Subject",
      "Status",
    ]);
    expect(jobs(merged).columns).toEqual(["title", "state", "new_field"]);
    expect(findField(jobs(merged), "group")).toBeUndefined();
  });

  it("see the conflicts, and keep their choice", () => {
    const [mine, theirs] = [relabel("title", "Mine")(model), relabel("title", "Theirs")(model)];
    const { model: merged, conflicts } = mergeModels(model, mine, theirs);
    expect(conflicts.map(({ path }) => path.at(-1))).toEqual(["label"]);
    expect(labelOf(merged, "title")).toBe("Mine");
    const key = conflicts[0] ? keyOfConflict(conflicts[0]) : "";
    expect(labelOf(mergeModels(model, mine, theirs, { [key]: "theirs" }).model, "title")).toBe(
      "Theirs",
    );
  });

  it("are asked where one removed what the other changed", () => {
    const theirs = onJobs((table) => removeField(table, "opened"));
    const { model: merged, conflicts } = mergeModels(
      model,
      relabel("opened", "Begun")(model),
      theirs,
    );
    expect(conflicts.map(({ path }) => path.join("."))).toEqual(["tables.jobs.fields.opened"]);
    expect(labelOf(merged, "opened")).toBe("Begun");
  });

  it("get no conflict for equal changes, or for a rename while the other edits", () => {
    const both = relabel("title", "Same")(model);
    expect(mergeModels(model, both, both).conflicts).toEqual([]);
    const theirs = renameField(model, "jobs", "opened", "begun");
    const mine = onJobs((table) => ({ ...table, columns: [...table.columns, "opened"] }));
    const { model: merged } = mergeModels(model, mine, theirs);
    expect(jobs(merged).columns).toContain("begun");
    expect(checkModel(merged)).toEqual([]);
  });

  it("get one merged order of a list, and a conflict only if both reordered it differently", () => {
    const order = (...columns: string[]) => onJobs((table) => ({ ...table, columns }));
    const merged = (a: Model, b: Model) => mergeModels(model, a, b);
    const one = merged(
      order("state", "title", "group"),
      order("title", "state", "group", "opened"),
    );
    expect(jobs(one.model).columns).toEqual(["state", "title", "group", "opened"]);
    const other = merged(order("state", "title", "group"), order("group", "state", "title"));
    expect(other.conflicts.map(({ path }) => path.at(-1))).toEqual(["columns"]);
  });
});

it("two parts of the same name are not merged into one", () => {
  const rule = { filter: { field: "title", op: "isEmpty" as const, value: false }, message: "" };
  const twice = onJobs((table) => ({ ...table, rules: [rule, rule] }));
  expect(treeToModel(modelToTree(twice), 3)).toEqual(twice);
});

it("a default of no is a default", () => {
  const without = onJobs((table) =>
    changeField(table, "urgent", ({ default: _, ...field }) => field),
  );
  expect(isSame(modelToTree(model), modelToTree(without))).toBe(false);
});
