import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { anyDatabase } from "../../../e2e/provision/databases.ts";
import type { Filter } from "../../../shared/filter/filter.ts";
import {
  createStoreEnvironment,
  type StoreEnvironment,
} from "../../store/testing/store-environment.ts";
import { Labels } from "./labels.ts";

describe("labels of linked records", () => {
  let store: StoreEnvironment;
  beforeAll(async () => {
    store = await createStoreEnvironment(anyDatabase);
    await store.database.pool.query("insert into groups (id, name) values ('g1', 'Network')");
  });
  afterAll(() => store[Symbol.asyncDispose]());

  const groupsWhere = (scope: Filter | null) =>
    ({ kind: "records", table: "groups", display: "name", scope }) as const;

  it("are forgotten for row rights that nobody reads under any more, and read again", async () => {
    const labels = new Labels(store.database, () => store.model);
    const all = groupsWhere(null);
    const read = (source: ReturnType<typeof groupsWhere>) =>
      labels.load([{ source, keys: ["g1"] }]);
    await read(all);
    expect(labels.find(all, "g1")).toBe("Network");
    for (let n = 0; n < 250; n += 1) {
      await read(groupsWhere({ field: "name", op: "ne", value: `group ${n}` }));
    }
    expect(labels.find(all, "g1")).toBe("g1");
    await read(all);
    expect(labels.find(all, "g1")).toBe("Network");
  });
});
