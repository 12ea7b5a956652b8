import { parseArgs } from "node:util";
import { owner, ServerProcess } from "../../e2e/harness/server-process.ts";
import { diskFolder } from "../../e2e/provision/temp-folder.ts";
import { signInApi } from "../load/api-session.ts";
import { percentile } from "../load/percentile.ts";
import { logName, readIncidentLog } from "./incident-log.ts";
import { type ReplayResult, replay } from "./replay.ts";

/**
 * `npm run replay`: a real service desk's log, replayed by its real authors through sockets while others
 * watch. On a server of its own in a temporary folder, or on a running one (--url).
 */
const { values } = parseArgs({
  options: {
    writers: { type: "string", default: "20" },
    watchers: { type: "string", default: "30" },
    /** 0: as fast as it goes; 100000: a month in half a minute. */
    speed: { type: "string", default: "0" },
    /** Only the first so many updates. */
    rows: { type: "string", default: "1000000" },
    url: { type: "string" },
    email: { type: "string", default: process.env.WATCHFLOOR_OWNER_EMAIL ?? owner.email },
    password: { type: "string", default: process.env.WATCHFLOOR_OWNER_PASSWORD ?? owner.password },
  },
});

async function run(): Promise<number> {
  console.log(`Replaying ${logName}.`);
  if (values.url) return replayOn(values.url.replace(/\/+$/, ""));
  const folder = await diskFolder();
  const environment = { DATA_DIR: `${folder.path}/data` };
  const server = await ServerProcess.start({ environment });
  try {
    return await replayOn(server.url);
  } finally {
    await server.kill("SIGTERM");
    folder.drop();
  }
}

async function replayOn(url: string): Promise<number> {
  const { email, password } = values;
  const log = (await readIncidentLog()).slice(0, Number(values.rows));
  const result = await replay(log, {
    owner: await signInApi(url, { email, password }),
    writerUrls: [url],
    watcherUrls: [url],
    writers: Number(values.writers),
    watchers: Number(values.watchers),
    speed: Number(values.speed),
    onProgress: (done, of) => {
      if (done % 500 === 0) process.stderr.write(`${done} of ${of} updates\n`);
    },
  });
  return printResult(log.length, result);
}

function printResult(updates: number, result: ReplayResult): number {
  const { incidents, authors, watchers, seconds, latencies, catchUpMs, wrong } = result;
  const ms = (share: number) => percentile(latencies, share).toFixed(1);
  console.log(
    `${updates} updates of ${incidents} incidents by ${authors} authors in ${seconds.toFixed(1)} s ` +
      `(${(updates / seconds).toFixed(0)}/s), acknowledged in ${ms(0.5)} ms (p50), ${ms(0.99)} ms (p99)`,
  );
  console.log(`${watchers} watchers had everything ${catchUpMs.toFixed(0)} ms after the last one`);
  const { gaps, duplicates, resyncs, wrongAuthors } = result;
  console.log({ wrong: wrong.length, gaps, duplicates, resyncs, wrongAuthors });
  for (const problem of wrong.slice(0, 10)) console.log(problem);
  return wrong.length + gaps + duplicates + resyncs + wrongAuthors === 0 ? 0 : 1;
}

process.exitCode = await run();
