import { sql } from "kysely";
import type { Database } from "./database.ts";

/** The id that all servers of one installation share, and no other has. */
export async function installationId({ kysely }: Database): Promise<string> {
  const { rows } = await sql<{ id: string }>`select id from watchfloor.installation`.execute(
    kysely,
  );
  if (!rows[0]) throw new Error("The installation has no id.");
  return rows[0].id;
}
