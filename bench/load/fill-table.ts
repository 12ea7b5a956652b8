import type pg from "pg";

/** From so many records on it is quicker to build the indexes behind the rows: at five millions by many minutes. */
const WITHOUT_INDEXES = 500_000;

/**
 * Fills the incidents to a number of records. Rows are inserted without the change log: a million changes are not what is
 * measured here. So another epoch begins, as after every bypass of the log, and now instead of when the server finds it.
 */
export async function fillTo(database: pg.Client, size: number): Promise<void> {
  await database.query("alter table incidents disable trigger user");
  const indexes = size >= WITHOUT_INDEXES ? await dropIndexes(database) : [];
  await database.query(
    `insert into incidents (id, number, title, state, impact, urgency, priority, category, "group",
        location, opened_at, due_at, reassignments, sla_met, notes)
      select 'bench-' || n, 'BEN' || n, 'Something is broken, number ' || n,
        (array['New', 'Active', 'Awaiting User Info', 'Resolved', 'Closed', 'Closed', 'Closed'])[1 + n % 7],
        '2 - Medium', '2 - Medium',
        (array['1 - Critical', '2 - High', '3 - Moderate', '4 - Low'])[1 + (n / 7) % 4],
        'Category ' || n % 40, (array['Network', 'Service Desk', 'Workplace'])[1 + (n / 28) % 3],
        'Location ' || n % 90, now() - n * interval '1 minute', now() + (n % 10000) * interval '1 minute',
        n % 5, n % 9 > 0, 'notes of ' || n
      from generate_series((select count(*) from incidents), $1::bigint - 1) n`,
    [size],
  );
  await database.query("set maintenance_work_mem = '512MB'");
  for (const definition of indexes) await database.query(definition);
  await database.query(`alter table incidents enable trigger user;
    alter table incidents enable replica trigger watchfloor_replica;
    alter table incidents enable always trigger watchfloor_truncate;
    update watchfloor.feed set triggers = watchfloor.triggers_of('incidents'::regclass)
      where table_name = 'incidents'`);
  await database.query(
    "select watchfloor.break_epoch(id) from watchfloor.feed where table_name = 'incidents'",
  );
  await database.query("vacuum analyze incidents");
}

/** Drops those that hold no constraint. Returns what creates them again. */
async function dropIndexes(database: pg.Client): Promise<string[]> {
  const { rows } = await database.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
      from pg_index i
      where i.indrelid = 'incidents'::regclass and not i.indisunique
        and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
  );
  for (const { name } of rows) await database.query(`drop index ${name}`);
  return rows.map(({ definition }) => definition);
}
