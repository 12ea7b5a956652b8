import { readFile, rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { connectToOwn, tryLock } from "./own-cluster.ts";
import { stopPostmaster } from "./postmaster.ts";
import type { Orphan } from "./start-embedded-postgres.ts";

/**
 * Run by start-embedded-postgres.ts. When the server's end of the pipe is closed, it waits for another server to come
 * back, and stops Postgres if none has: a serving server holds the cluster's lock, so the lock is taken
 * first.
 */
const { graceMs, ...cluster } = JSON.parse(process.argv[2] ?? "{}") as Orphan;

for await (const _ of process.stdin);
await sleep(graceMs);
const url = await readFile(cluster.folders.connection, "utf8").catch(() => null);
// Without that file the server stopped Postgres itself.
if (url !== null) {
  const client = await connectToOwn(url.trim());
  if (await tryLock(client)) {
    const stopped = stopPostmaster(cluster);
    // Before it has ended: the next server writes the same file.
    await rm(cluster.folders.connection, { force: true });
    await stopped;
  }
  await client.end().catch(() => {});
}
process.exit(0);
