import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import type { Filter } from "../../shared/filter/filter.ts";
import type { Table } from "../../shared/model/model.ts";
import type { WireOp } from "../../shared/protocol/mutate.ts";
import { boss, everything, reader, table } from "../commands/testing/scoped-desk.ts";
import { type ChangeSetDesk, openChangeSetDesk, rename } from "./testing/change-set-desk.ts";

const isNotNotes: Filter = { field: "title", op: "ne", value: { field: "notes" } };
const isNotes: Filter = { not: isNotNotes };
const blind = reader({ ...everything, read: { hide: ["notes"] } });

/** Whether a title equals the hidden notes: what a refusal reveals, an edit that is stored has to cost. */
describe.each(databases)("rules and guards that compare hidden fields, on $name", (kind) => {
  let at: ChangeSetDesk;
  beforeAll(async () => {
    at = await openChangeSetDesk(kind, [blind]);
    const { desk } = at;
    const incidents = desk.model.tables.find(({ name }) => name === table) as Table;
    const transitions = (incidents.workflow?.transitions ?? []).map((one) =>
      one.name === "take" ? { ...one, guard: isNotes, sets: {} } : one,
    );
    const compared: Table = {
      ...incidents,
      rules: [{ filter: isNotNotes, message: "The title repeats the notes." }],
      workflow: { states: incidents.workflow?.states ?? [], transitions },
    };
    desk.model.tables = desk.model.tables.map((one) => (one === incidents ? compared : one));
  });
  afterAll(async () => {
    expect(at.desk.errors).toEqual([]);
    await at.desk[Symbol.asyncDispose]();
  });

  const outcomes = async (ops: WireOp[], by = blind) => {
    const { id } = await at.sets.create(by, { ops });
    const { items } = await at.sets.preview(by, id, { offset: 0, limit: 10 });
    return { id, statuses: items.map(({ status }) => status) };
  };
  const tries = (record: string) => [rename(record, "guess"), rename(record, "secret", "guess")];

  it("G1 are not answered by a preview, and by the application alone", async () => {
    const [record] = (await at.incidents(1)) as [string];
    const { id, statuses } = await outcomes(tries(record));
    expect(statuses).toEqual(["update", "update"]);
    const { refused } = await at.sets.apply(blind, id, { atomic: false });
    expect(refused).toMatchObject([{ index: 1, error: { code: "validation_failed" } }]);
    expect((await at.valuesOf(record)).title).toBe("guess");
  });

  it("G1 are answered by a preview to users who may read what they compare", async () => {
    const [record] = (await at.incidents(1)) as [string];
    expect((await outcomes(tries(record), boss)).statuses).toEqual(["update", "error"]);
  });

  it("G1 are not answered by a preview of a transition", async () => {
    const [record] = (await at.incidents(1)) as [string];
    const take: WireOp = { op: "transition", table, record, transition: "take", from: "New" };
    expect((await outcomes([take])).statuses).toEqual(["update"]);
    expect((await outcomes([take], boss)).statuses).toEqual(["error"]);
  });

  it("G3 are not answered by an application that something else prevents", async () => {
    for (const title of ["guess", "secret"]) {
      const [record] = (await at.incidents(1)) as [string];
      const { id } = await at.sets.create(blind, {
        ops: [rename(record, title), rename(record, "never", "another base")],
      });
      const { conflicts, refused } = await at.sets.apply(blind, id, { atomic: true });
      expect([conflicts.map(({ index }) => index), refused]).toEqual([[1], []]);
    }
  });

  it("M10 are not answered by an atomic mutation that something else prevents", async () => {
    const codes: unknown[] = [];
    for (const title of ["guess", "secret"]) {
      const [record] = (await at.incidents(1)) as [string];
      const ops = [rename(record, title), rename(record, "never", "another base")];
      const { results } = await at.desk.commands.mutate(blind, { ops, atomic: true } as never);
      codes.push(results.map((one) => (one.ok ? "ok" : one.error.code)));
    }
    expect(codes).toEqual([
      ["aborted", "conflict"],
      ["aborted", "conflict"],
    ]);
  });
});
