import type { Filter } from "../../../../shared/filter/filter.ts";
import type { Table } from "../../../../shared/model/model.ts";
import { type Grant, grantKey } from "../../../../shared/policy/role.ts";
import type { RoleForm } from "../../../../shared/policy/role-tree.ts";
import { isHidden } from "../../../../shared/policy/scope.ts";

/** The changes that the matrix makes to a role. Each returns a new role and leaves the old one unchanged. */

/** The key of a table's grant in this role. */
export function keyOf({ grants }: RoleForm, table: Pick<Table, "name" | "formerly">): string {
  return grantKey(grants, table) ?? table.name;
}

/** Whether a table has its own grant instead of the one for all others. */
export function isOwn({ grants }: RoleForm, key: string): boolean {
  return Object.hasOwn(grants, key);
}

export function grantAt({ grants }: RoleForm, key: string): Grant {
  return grants[key] ?? grants["*"] ?? {};
}

/** Sets one right. A table that used the grant for all others gets its own copy of it. */
export function setGrant<R extends keyof Grant>(
  form: RoleForm,
  key: string,
  right: R,
  value: Grant[R] | false,
): RoleForm {
  const { [right]: _before, ...rest } = grantAt(form, key);
  const grant = value === false || value === undefined ? rest : { ...rest, [right]: value };
  return { ...form, grants: { ...form.grants, [key]: grant as Grant } };
}

/** Removes the table's own grant, so that the one for all others applies. */
export function dropGrant(form: RoleForm, key: string): RoleForm {
  const { [key]: _gone, ...grants } = form.grants;
  return { ...form, grants };
}

export type RowRight = "read" | "update" | "delete";

/** The row filter of a right; null if it covers all rows. */
export function rowsOf(grant: Grant, right: RowRight): Filter | null {
  const value = grant[right];
  return (typeof value === "object" && value.filter) || null;
}

/** Sets or removes the row filter of a right; its other limits remain. */
export function setRows(
  form: RoleForm,
  key: string,
  right: RowRight,
  filter: Filter | null,
): RoleForm {
  const value = grantAt(form, key)[right];
  const { filter: _before, ...rest } = typeof value === "object" ? value : {};
  return setGrant(form, key, right, simplified({ ...rest, ...(filter && { filter }) }));
}

export type FieldAccess = "hidden" | "read" | "write";

/** The access to each field, in the order of the table. */
export function accessOf(grant: Grant, table: Table): Map<string, FieldAccess> {
  const hide = typeof grant.read === "object" ? (grant.read.hide ?? []) : [];
  const fields = typeof grant.update === "object" ? grant.update.fields : undefined;
  return new Map(
    table.fields.map((field) => {
      const isNamed = [field.name, ...(field.formerly ?? [])].some((one) => fields?.includes(one));
      const writes = Boolean(grant.update) && (fields === undefined || isNamed);
      return [field.name, isHidden(field, hide) ? "hidden" : writes ? "write" : "read"];
    }),
  );
}

/**
 * Sets the access to one field. If all visible fields are writable, no list is stored, so that fields added later
 * are writable too. A hidden field's former names stay hidden with it.
 */
export function setAccess(
  form: RoleForm,
  key: string,
  table: Table,
  name: string,
  access: FieldAccess,
): RoleForm {
  const grant = grantAt(form, key);
  const all = accessOf(grant, table).set(name, access);
  const named = (level: FieldAccess) =>
    table.fields.map((field) => field.name).filter((one) => all.get(one) === level);
  const hide = named("hidden");
  const writes = named("write");
  const visibleCount = table.fields.length - hide.length;
  const read = { ...(typeof grant.read === "object" && grant.read), hide };
  if (hide.length === 0) delete (read as { hide?: string[] }).hide;
  const next = setGrant(form, key, "read", simplified(read));
  if (!grant.update) return next;
  const { fields: _before, ...rows } = typeof grant.update === "object" ? grant.update : {};
  const update = writes.length === visibleCount ? rows : { ...rows, fields: writes };
  return setGrant(next, key, "update", simplified(update));
}

/** Allows or denies a transition. All of them are stored as `true`, so that ones added later are allowed too. */
export function setTransition(
  form: RoleForm,
  key: string,
  table: Table,
  name: string,
  allowed: boolean,
): RoleForm {
  const all = table.workflow?.transitions.map((one) => one.name) ?? [];
  const granted = grantAt(form, key).transitions;
  const before = granted === true ? all : granted || [];
  const names = all.filter((one) => (one === name ? allowed : before.includes(one)));
  const value = names.length === all.length ? true : names.length > 0 ? names : false;
  return setGrant(form, key, "transitions", value);
}

/** `true` if nothing is limited. */
function simplified<T extends object>(value: T): T | true {
  return Object.keys(value).length === 0 ? true : value;
}
