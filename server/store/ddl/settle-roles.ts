import { type Kysely, sql } from "kysely";
import type { Role } from "../../../shared/policy/role.ts";
import { roleSchema } from "../../../shared/policy/role-schema.ts";
import { settleGrants } from "../../../shared/policy/settle-grants.ts";
import type { RoleRow } from "../people/roles.ts";
import type { Change } from "./step-statements.ts";

/**
 * Carries the grants of every declared role over to the next model, in its transaction: what a role may
 * not see must never show for being called otherwise. What can't be read grants nothing and stays.
 */
export async function settleRoles(trx: Kysely<unknown>, { from, to }: Change): Promise<void> {
  const { rows } = await sql<RoleRow>`
    select id, name, rights, grants from watchfloor.role order by id for no key update`.execute(
    trx,
  );
  for (const { id, name, rights, grants } of rows) {
    const read = roleSchema.safeParse({ name, rights, grants });
    if (!read.success) continue;
    const settled = JSON.stringify(settleGrants(read.data.grants as Role["grants"], from, to));
    if (settled === JSON.stringify(read.data.grants)) continue;
    await sql`update watchfloor.role set grants = ${settled}::jsonb, updated_at = now()
      where id = ${id}`.execute(trx);
  }
}
