import { readPostmasterFile } from "../../server/store/embedded/postmaster-file.ts";
import { startEmbeddedPostgres } from "../../server/store/embedded/start-embedded-postgres.ts";
import { cleanUpAtExit, killNow } from "./clean-up.ts";
import { startSystemPostgres } from "./system-postgres.ts";
import { tempFolder } from "./temp-folder.ts";
import type { TestPostgres } from "./test-postgres.ts";

/** The two kinds that everything must work on: the one we bring, and the machine's own (Debian 12: 15). */
export type PostgresKind = "embedded" | "system";

/** Enough for a few pools in each of two test workers. */
const settings = { max_connections: "200" };

async function startEmbedded(): Promise<TestPostgres> {
  const folder = await tempFolder();
  const dataDir = `${folder.path}/data`;
  const log = { info: () => {}, warn: (message: string) => process.stderr.write(`${message}\n`) };
  const postgres = await startEmbeddedPostgres({ dataDir, log, settings });
  const postmaster = await readPostmasterFile(`${dataDir}/postgres/data`);
  const forget = cleanUpAtExit(() => killNow(postmaster?.pid));
  const url = new URL(postgres.connection);
  url.pathname = "/postgres";
  return {
    url: url.href,
    close: async () => {
      await postgres.stop();
      forget();
      folder.drop();
    },
  };
}

/** Starts a Postgres of the test's own. */
export function startPostgres({ which }: { which: PostgresKind }): Promise<TestPostgres> {
  return which === "embedded" ? startEmbedded() : startSystemPostgres(settings);
}
