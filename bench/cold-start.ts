import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ServerProcess } from "../e2e/harness/server-process.ts";
import { diskFolder } from "../e2e/provision/temp-folder.ts";
import { interleave } from "./load/interleave.ts";
import { median } from "./load/percentile.ts";
import type { Finding } from "./load/report.ts";

/**
 * The time from starting the process to its first answer, on an embedded database with data. Floor: a bare
 * process that starts the same Postgres on the same folder and answers when a query has returned.
 */
const ROUNDS = 5;
const MOST_MS = 3_000;
const floorFile = fileURLToPath(new URL("floor/cold-start.ts", import.meta.url));

export async function coldStart(): Promise<Finding[]> {
  const folder = await diskFolder();
  const dataDir = join(folder.path, "data");
  const server = await ServerProcess.start({ environment: { DATA_DIR: dataDir } });
  await server.kill("SIGTERM");
  try {
    const product = async () => {
      const started = performance.now();
      await server.start();
      const took = performance.now() - started;
      await server.kill("SIGTERM");
      return took;
    };
    const { a, b } = await interleave(ROUNDS, () => bareStart(dataDir), product);
    const [floor, mine] = [median(a), median(b)];
    const what = "cold start → first answer, existing data";
    const line = { product: mine, unit: "ms" };
    return [
      { ...line, what, floor, target: null },
      { ...line, what: `${what}, of three seconds`, floor: MOST_MS, target: { most: 1 } },
    ];
  } finally {
    folder.drop();
  }
}

async function bareStart(dataDir: string): Promise<number> {
  const started = performance.now();
  const child = spawn(process.execPath, [floorFile, dataDir], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const exited = once(child, "exit");
  await once(child, "message");
  const took = performance.now() - started;
  child.disconnect();
  await exited;
  return took;
}
