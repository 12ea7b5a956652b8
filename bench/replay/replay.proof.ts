// Covers: server/import server/relay
import { describe, expect, it } from "vitest";
import { owner, ServerProcess } from "../../e2e/harness/server-process.ts";
import { sharedRedisUrl, systemDatabase } from "../../e2e/provision/databases.ts";
import { proofSize } from "../../e2e/provision/proof-size.ts";
import { tempFolder } from "../../e2e/provision/temp-folder.ts";
import { signInApi } from "../load/api-session.ts";
import { isFullLog, type LogRow, logName, readIncidentLog } from "./incident-log.ts";
import { type ReplayResult, replay } from "./replay.ts";

const ROWS = proofSize(600, 5_998);
const WRITERS = proofSize(5, 20);
const WATCHERS = proofSize(8, 30);
const TIMEOUT_MS = 600_000;

async function log(): Promise<LogRow[]> {
  if (!isFullLog) console.warn(`Replaying ${logName}.`);
  return (await readIncidentLog()).slice(0, ROWS);
}

async function run(writerUrl: string, watcherUrl: string): Promise<ReplayResult> {
  return replay(await log(), {
    owner: await signInApi(writerUrl, owner),
    writerUrls: [writerUrl],
    watcherUrls: [watcherUrl],
    writers: WRITERS,
    watchers: WATCHERS,
    speed: 0,
  });
}

const flawless = { wrong: [], gaps: 0, duplicates: 0, resyncs: 0, wrongAuthors: 0 };

describe("a replay of the incident log at full speed", () => {
  it(
    "ends as the log says on every screen, without gap or duplicate, on the embedded Postgres",
    async () => {
      const folder = await tempFolder();
      await using server = await ServerProcess.start({
        environment: { DATA_DIR: `${folder.path}/data` },
      });
      const result = await run(server.url, server.url);
      expect(result).toMatchObject(flawless);
      expect(result.changes).toBeGreaterThan((await log()).length / 2);
      await server.kill("SIGTERM");
      folder.drop();
    },
    TIMEOUT_MS,
  );

  it(
    "ends so too on the system's Postgres and Redis, with writers and watchers on two servers",
    async () => {
      const database = await systemDatabase.create();
      const environment = { DATABASE_URL: database.url, REDIS_URL: sharedRedisUrl() };
      await using first = await ServerProcess.start({ environment });
      await using second = await ServerProcess.start({ environment });
      expect(await run(first.url, second.url)).toMatchObject(flawless);
      await Promise.all([first.kill("SIGTERM"), second.kill("SIGTERM")]);
      await database.drop();
    },
    TIMEOUT_MS,
  );
});
