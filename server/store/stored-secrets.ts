import { sql } from "kysely";
import type { Db } from "./database.ts";
import { rowsOf } from "./statement.ts";

/**
 * All secrets that are stored so that they can be read again (server/auth/secret-box.ts), with the owner that each is encrypted for, who
 * is named as by server/auth and server/webhooks. Whatever stores another one adds it here, so that it is encrypted when a key is given.
 */
export interface StoredSecret {
  place: "totp" | "webhook" | "formerWebhook" | "provider" | "invitation" | "reset" | "session";
  id: string;
  secret: string;
  owner: string;
  /** What users call what has it; null where that is a user. */
  name: string | null;
}

/** Of things that last; those of links and sessions are in no backup. */
const lasting = sql`
  select 'totp' as place, user_id as id, secret, user_id as owner, null as name from watchfloor.totp
  union all select 'webhook', id, secret, 'webhook:' || id, name from watchfloor.webhook
  union all select 'formerWebhook', id, former_secret, 'webhook:' || id, name from watchfloor.webhook
    where former_secret is not null
  union all select 'provider', id, client_secret, 'provider:' || id, name from watchfloor.identity_provider`;

const all = sql`${lasting}
  union all select 'invitation', id, secret, 'invitation:' || user_id, null from watchfloor.invitation
    where secret is not null
  union all select 'reset', id, secret, 'password_reset:' || user_id, null from watchfloor.password_reset
    where secret is not null
  union all select 'session', id, id_token, 'session:' || id, null from watchfloor.session
    where id_token is not null`;

/** Those in plain text, or all of them. */
export function listStoredSecrets(db: Db, which: "plain" | "all"): Promise<StoredSecret[]> {
  return rowsOf<StoredSecret>(db)`
    select * from (${all}) s where ${which === "all"} or secret like 'plain:%'`;
}

/** Those that are encrypted, and of things that last. */
export function listEncrypted(db: Db): Promise<StoredSecret[]> {
  return rowsOf<StoredSecret>(db)`select * from (${lasting}) s where secret not like 'plain:%'`;
}

/** Stores one in another form, unless another one is in its place by now. */
export async function replaceStoredSecret(
  db: Db,
  { place, id, secret: former }: StoredSecret,
  secret: string,
): Promise<void> {
  switch (place) {
    case "totp": {
      const row = db.updateTable("watchfloor.totp").where("user_id", "=", id);
      await row.where("secret", "=", former).set({ secret }).execute();
      return;
    }
    case "webhook": {
      const row = db.updateTable("watchfloor.webhook").where("id", "=", id);
      await row.where("secret", "=", former).set({ secret }).execute();
      return;
    }
    case "formerWebhook": {
      const row = db.updateTable("watchfloor.webhook").where("id", "=", id);
      await row.where("former_secret", "=", former).set({ former_secret: secret }).execute();
      return;
    }
    case "provider": {
      const row = db.updateTable("watchfloor.identity_provider").where("id", "=", id);
      await row.where("client_secret", "=", former).set({ client_secret: secret }).execute();
      return;
    }
    case "session": {
      const row = db.updateTable("watchfloor.session").where("id", "=", id);
      await row.where("id_token", "=", former).set({ id_token: secret }).execute();
      return;
    }
    default: {
      const table = place === "reset" ? "watchfloor.password_reset" : "watchfloor.invitation";
      const row = db.updateTable(table).where("id", "=", id);
      await row.where("secret", "=", former).set({ secret }).execute();
    }
  }
}
