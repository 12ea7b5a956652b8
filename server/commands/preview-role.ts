import { explainModel } from "../../shared/error-texts/model-texts.ts";
import { fieldsOf } from "../../shared/filter/bind-filter.ts";
import type { Filter, SortKey } from "../../shared/filter/filter.ts";
import { readSortKey } from "../../shared/filter/sort-key.ts";
import type { Table } from "../../shared/model/model.ts";
import { grantKey, grantOn, type Role } from "../../shared/policy/role.ts";
import { type Scope, type Subject, scopeOf } from "../../shared/policy/scope.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { PreviewRoleCall, RolePreview } from "../../shared/protocol/roles.ts";
import { requireRight } from "../auth/require-right.ts";
import { validateGrants } from "../auth/validate-grants.ts";
import { readableTable } from "../policy/authorize.ts";
import { readPage } from "../store/pages.ts";
import type { ReadDeps } from "./read-page.ts";

/**
 * What a user would see of a table under grants that are not stored. For users who manage roles, and never
 * more than they may see themselves: records and fields are those of both. A row filter over a field that the
 * caller may not read is refused, because counts would reveal its values.
 */
export async function previewRole(
  deps: ReadDeps,
  me: Subject,
  { table: name, grants, user = "", attributes, limit }: PreviewRoleCall,
): Promise<RolePreview> {
  requireRight(me, "roles");
  const { table, scope: mine } = readableTable(me, deps.model(), name);
  const role: Role = { id: "", name: "", rights: [], grants };
  // Others do not matter, and may be on removed tables.
  const used = grantKey(grants, table) ?? "*";
  const grant = grants[used];
  validateGrants({ grants: grant ? { [used]: grant } : {} }, deps.model());
  refuseGuessing(role, table, mine);
  const theirs = scopeOf({ id: user, role, attributes }, table);
  const read = (filters: Filter[], fields: string[], rows: number) =>
    readPage(deps.database, table, {
      filter: filters.length < 2 ? (filters[0] ?? null) : { and: filters },
      sort: sortWithin(table, fields),
      offset: 0,
      limit: rows,
      fields,
      exactTotal: deps.limits.EXACT_TOTAL_MAX_RECORDS,
      countMs: deps.limits.COUNT_TIMEOUT_MS,
    });
  const own = mine.filter ? [mine.filter] : [];
  const all = await read(own, [], 0);
  const outOf = { outOf: all.total, outOfExact: all.totalExact };
  if (!theirs) {
    return { readable: false, fields: [], total: 0, totalExact: true, records: [], ...outOf };
  }
  const fields = theirs.fields.filter((one) => mine.fields.includes(one));
  const page = await read([...own, ...(theirs.filter ? [theirs.filter] : [])], fields, limit);
  const { total, totalExact, records } = page;
  return { readable: true, fields, total, totalExact, records, ...outOf };
}

function refuseGuessing(role: Role, table: Table, mine: Scope): void {
  const { read } = grantOn(role, table);
  const filter = typeof read === "object" ? read.filter : undefined;
  const named = filter ? [...fieldsOf(filter)] : [];
  if (named.every((field) => field === "id" || mine.fields.includes(field))) return;
  const detail = { right: "read", table: table.name };
  throw new Refusal("forbidden", detail, explainModel("role.hiddenFields"));
}

/** The table's own order, as far as its fields are visible. */
function sortWithin(table: Table, fields: readonly string[]): SortKey[] {
  return table.sort.map(readSortKey).filter(({ field }) => fields.includes(field));
}
