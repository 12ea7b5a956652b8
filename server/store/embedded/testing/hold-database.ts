import { startEmbeddedPostgres } from "../start-embedded-postgres.ts";

/**
 * A stand-in for the server in tests that kill it: `node hold-database.ts DATA_DIR [namespace] [grace=MS] [path=PATH]`
 * opens the embedded Postgres, prints the outcome as one line of JSON, and holds it until SIGTERM.
 */
const [dataDir = "", ...more] = process.argv.slice(2);
const grace = more.find((word) => word.startsWith("grace="))?.slice("grace=".length);
const path = more.find((word) => word.startsWith("path="))?.slice("path=".length);
if (path !== undefined) process.env.PATH = path;

function report(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

try {
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: { info: () => {}, warn: () => {} },
    ...(more.includes("namespace") && { avoid: "namespace" as const }),
    ...(grace !== undefined && { orphanGraceMs: Number(grace) }),
  });
  process.on("SIGTERM", async () => {
    await postgres.stop();
    process.exit(0);
  });
  report({ connection: postgres.connection, adopted: postgres.adopted });
  // Prevents the process from ending, as a server's port would.
  setInterval(() => {}, 1_000_000);
} catch (error) {
  report({ refused: (error as Error).message });
  process.exit(1);
}
