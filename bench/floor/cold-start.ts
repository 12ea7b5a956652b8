import pg from "pg";
import { pino } from "pino";
import { startEmbeddedPostgres } from "../../server/store/embedded/start-embedded-postgres.ts";

/** The floor of a cold start: the embedded Postgres alone, and one query. */
const [dataDir = ""] = process.argv.slice(2);
const log = pino({ level: "silent" });
const postgres = await startEmbeddedPostgres({ dataDir, log, onLost: () => process.exit(1) });
const client = new pg.Client({ connectionString: postgres.connection });
await client.connect();
await client.query("select 1");
process.send?.("ready");
process.on("disconnect", async () => {
  await client.end();
  await postgres.stop();
  process.exit(0);
});
