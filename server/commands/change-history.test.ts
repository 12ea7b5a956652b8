import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import type { OpResult } from "../../shared/protocol/mutate.ts";
import { WriteSession } from "../store/write-session.ts";
import {
  type CommandEnvironment,
  createCommandEnvironment,
  testIdentity,
} from "./testing/command-environment.ts";

const ann = testIdentity("ann");
const versionOf = (result: OpResult | undefined) => (result?.ok && result.version) || "";

describe.each(databases)("what a commit reads of the log on $name", (kind) => {
  let environment: CommandEnvironment;
  beforeAll(async () => {
    environment = await createCommandEnvironment(kind);
  });
  afterAll(async () => {
    expect(environment.errors).toEqual([]);
    await environment[Symbol.asyncDispose]();
  });

  it("is one question for all deletions that name a version, as a revert of an import has thousands", async () => {
    const records = ["one", "two", "three"];
    const created = await environment.run(
      ann,
      ...records.map((record) => ({
        ...{ op: "create" as const, table: "incidents", record, values: { title: record } },
      })),
    );
    const asked = vi.spyOn(WriteSession.prototype, "query");
    const deleted = await environment.run(
      ann,
      ...created.slice(0, 2).map((result, n) => ({
        ...{ op: "delete" as const, table: "incidents", record: records[n] as string },
        version: versionOf(result),
      })),
    );
    expect(deleted.map(({ ok }) => ok)).toEqual([true, true]);
    expect(asked.mock.calls.map(([text]) => text)).toHaveLength(1);
    asked.mockRestore();
  });
});
