import { describe, expect, it } from "vitest";
import type { Table } from "../model.ts";
import { firstWallboard } from "./first-wallboard.ts";
import { wallboardDocumentSchema } from "./wallboard.ts";

const titles = {
  open: ({ label }: Table) => `Open ${label.toLowerCase()}`,
  overdue: () => "Overdue",
  by: (label: string) => `By ${label}`,
};

const tasks: Table = {
  ...{ name: "tasks", label: "Tasks", recordLabel: "task", display: "title", sort: [] },
  stateField: "status",
  fields: [
    { name: "title", label: "Title", type: "text" },
    {
      ...{ name: "status", label: "Status", type: "select" },
      options: [{ value: "To do", open: true }, { value: "Done" }],
    },
    { name: "due", label: "Due", type: "date" },
  ],
  columns: ["title", "status", "due"],
};

const made = (table: Table, visible = table.fields.map(({ name }) => name)) => {
  const grid = { columns: 12, rows: 8 };
  return wallboardDocumentSchema.parse({
    ...{ grid, zone: "UTC", theme: "dark" },
    ...firstWallboard({ table, visible }, titles),
  });
};

describe("the first wallboard", () => {
  it("shows what is open, what is late and the list of a table with work", () => {
    const { name, tiles } = made(tasks);
    expect(name).toBe("Tasks");
    expect(tiles.map(({ id }) => id)).toEqual(["open", "overdue", "clock", "by", "list"]);
    expect(tiles[1]).toMatchObject({
      filter: {
        and: [
          { field: "status", op: "in", value: ["To do"] },
          { field: "due", op: "lt", value: "$today" },
        ],
      },
    });
  });

  it("counts and lists a table without work, and names no hidden field", () => {
    const { tiles } = made(tasks, ["title"]);
    expect(tiles.map(({ id }) => id)).toEqual(["open", "clock", "list"]);
    expect(JSON.stringify(tiles)).not.toMatch(/status|due/);
  });
});
