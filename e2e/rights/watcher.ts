import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { matches } from "../../shared/filter/matches.ts";
import { fieldKinds, findTable, type Table, type Values } from "../../shared/model/model.ts";
import type { Role } from "../../shared/policy/role.ts";
import { scopeOf } from "../../shared/policy/scope.ts";
import type { Page } from "../../shared/protocol/feed.ts";
import type { TileFrame } from "../../shared/protocol/frame.ts";
import type { TestUser } from "../harness/test-user.ts";
import { until } from "../harness/until.ts";
import type { TappedUser } from "./tapped-user.ts";

const CATCH_UP_TIMEOUT_MS = 120_000;

/** One user, and what the test itself knows of their rights. */
export interface Watcher {
  tapped: TappedUser;
  role: Role;
  attributes: Record<string, string>;
}

/**
 * What a user may see by their rights equals a fresh page, what their connection holds, and what the tile
 * `all` of a wallboard counts.
 */
export async function verifyWatcher(
  { tapped, role, attributes }: Watcher,
  ownerUser: TestUser,
  wallboard: string,
): Promise<void> {
  const table = findTable(ownerUser.model, "incidents") as Table;
  const everything = await ownerUser.page("incidents", "limit=1000&sort=number");
  const scope = scopeOf({ id: tapped.id, role, attributes }, table);
  const text = await tapped.rest("GET", "/tables/incidents/records?limit=1000");
  if (!scope) {
    expect(JSON.parse(text)).toMatchObject({ code: "not_found" });
    await expect.poll(() => tapped.followed.records.size).toBe(0);
    await showsTile(tapped, wallboard, { state: "hidden" });
    return;
  }
  const { filter } = scope;
  const kinds = fieldKinds(table);
  const expected = everything.records
    .filter(({ id, values }) => !filter || matches(filter, id, values, kinds))
    .map(({ id, values }) => [id, pick(values, scope.fields)] as const);
  const page = JSON.parse(text) as Page;
  const shown = new Map(page.records.map(({ id, values }) => [id, values]));
  expect(isDeepStrictEqual(shown, new Map(expected))).toBe(true);
  expect(page.total).toBe(expected.length);
  const { followed } = tapped;
  const isUpToDate = () => (followed.seq ?? -1) >= everything.seq;
  await until("the connection has heard of everything", CATCH_UP_TIMEOUT_MS, isUpToDate);
  await expect
    .poll(() => Object.fromEntries(followed.records))
    .toEqual(Object.fromEntries(expected));
  await showsTile(tapped, wallboard, { state: "ok", value: expected.length });
}

async function showsTile(
  { frames }: TappedUser,
  wallboard: string,
  expected: TileFrame,
): Promise<void> {
  await until(`the wallboard shows ${JSON.stringify(expected)}`, CATCH_UP_TIMEOUT_MS, () => {
    const shown = frames.get(wallboard)?.tiles.all;
    return shown?.state === expected.state && shown.value === expected.value;
  });
}

/** Some of a record's values, null if there is none. */
export function pick(values: Values, fields: readonly string[]): Values {
  return Object.fromEntries(fields.map((name) => [name, values[name] ?? null]));
}
