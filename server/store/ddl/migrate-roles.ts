import { migrateGrants } from "../../../shared/policy/migrate-grants.ts";
import type { Role } from "../../../shared/policy/role.ts";
import { roleSchema } from "../../../shared/policy/role-schema.ts";
import type { Db } from "../database.ts";
import { now } from "../statement.ts";
import type { NameChange } from "./step-statements.ts";

/**
 * Migrates the grants of every declared role to the next model, in its transaction: what a role may not see
 * must never appear under another name. An unreadable role grants nothing and is unchanged.
 */
export async function migrateRoles(trx: Db, { from, to }: NameChange): Promise<void> {
  const roles = trx.selectFrom("watchfloor.role").select(["id", "name", "rights", "grants"]);
  const rows = await roles.orderBy("id").forNoKeyUpdate().execute();
  for (const { id, name, rights, grants } of rows) {
    const read = roleSchema.safeParse({ name, rights, grants });
    if (!read.success) continue;
    const migrated = JSON.stringify(migrateGrants(read.data.grants as Role["grants"], from, to));
    if (migrated === JSON.stringify(read.data.grants)) continue;
    const role = trx.updateTable("watchfloor.role").where("id", "=", id);
    await role.set({ grants: migrated, updated_at: now }).execute();
  }
}
