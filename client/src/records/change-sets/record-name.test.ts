import { afterEach, expect, test, vi } from "vitest";
import type { Model, Table } from "../../../../shared/model/model.ts";
import { TargetLabels } from "../../sync/calls/target-labels.ts";
import { LABEL_WAITING } from "../fields/label-waiting.ts";
import { recordName, titleBeside } from "./record-name.ts";

const table: Table = {
  name: "services",
  label: "Services",
  recordLabel: "service",
  display: "name",
  fields: [{ name: "name", label: "Name", type: "text" }],
  columns: [],
  sort: [],
};
const model: Model = { version: 1, tables: [table] };

afterEach(() => vi.unstubAllGlobals());

test("a revert names records that were deleted since as they were called, and by their ids where that may not be known", async () => {
  vi.stubGlobal("fetch", async () =>
    Response.json({ records: [], total: 0, totalExact: true, seq: 1, epoch: "e" }),
  );
  /** Like the page's labels, for a user who may read the history of one of them. */
  class KnowingLabels extends TargetLabels {
    protected override deletedLabel(_table: string, id: string): Promise<string | null> {
      return Promise.resolve(id === "s1" ? "Mail (deleted)" : null);
    }
  }
  const labels = new KnowingLabels(() => model);
  const arrived = new Promise<void>((done) => {
    labels.onArrived(done);
  });
  // What the preview says of an op whose record is gone: it has no values.
  const nameOf = (record: string) => recordName(table, record, [null, null], labels);
  expect([nameOf("s1"), nameOf("s2")]).toEqual([LABEL_WAITING, LABEL_WAITING]);
  await arrived;
  expect([nameOf("s1"), nameOf("s2")]).toEqual(["Mail (deleted)", "s2"]);
  expect(recordName(table, "s1", [{ name: "Fax" }, null], labels)).toBe("Fax");
});

/** They are called by a number, and read by a text of this type. */
const ticketsWith = (type: "text" | "longText"): Table => ({
  ...table,
  name: "tickets",
  display: "number",
  fields: [
    {
      name: "number",
      label: "Number",
      type: "text",
      automatic: { prefix: "T", digits: 3, start: 1 },
    },
    { name: "title", label: "Title", type },
  ],
  columns: ["number", "title"],
});

test.each(["text", "longText"] as const)(
  "a record that is called by a number has its title beside it, from the call that reads the number, if it is a %s",
  async (type) => {
    const tickets = ticketsWith(type);
    const read = vi.fn(async (address: string | URL | Request) => {
      const title = String(address).includes("title") && { title: "Leak" };
      return Response.json({
        records: [{ id: "t1", values: { number: "T001", ...title }, seq: 1 }],
        ...{ total: 1, totalExact: true, seq: 1, epoch: "e" },
      });
    });
    vi.stubGlobal("fetch", read);
    const labels = new TargetLabels(() => ({ version: 1, tables: [table, tickets] }));
    const arrived = new Promise<void>((done) => {
      labels.onArrived(done);
    });
    const shown = () => [
      recordName(tickets, "t1", [null, null], labels),
      titleBeside(tickets, "t1", [null, null], labels),
    ];
    expect(shown()).toEqual([LABEL_WAITING, undefined]);
    await arrived;
    expect(shown()).toEqual(["T001", type === "text" ? "Leak" : undefined]);
    expect(read).toHaveBeenCalledTimes(1);
    expect(titleBeside(table, "s1", [null, null], labels)).toBeUndefined();
  },
);

test("a record has the title beside it that a change set stored of it, and nothing is read for that", () => {
  const labels = new TargetLabels(() => ({ version: 1, tables: [table] }));
  const get = vi.spyOn(labels, "get");
  const values = [{ number: "T001", title: "Leak" }, null];
  expect(titleBeside(ticketsWith("text"), "t1", values, labels)).toBe("Leak");
  expect(get).not.toHaveBeenCalled();
});
