import { execFileSync } from "node:child_process";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { type TempFolder, tempFolder } from "../../../../e2e/provision/temp-folder.ts";
import { type Holder, holdDatabase, type Who } from "./database-holder.ts";

export const self: Who = process.getuid?.() === 0 ? "root" : "an ordinary user";

/** A data folder for each test, and the processes that hold it. Called once in a file. */
export function embeddedEnvironment() {
  let ready: TempFolder;
  let holders: Holder[] = [];
  const environment = {
    folder: undefined as unknown as TempFolder,
    dataDir: "",
    /** Copies data into the folder, as an earlier server left them. */
    async haveData(): Promise<void> {
      const [from, to] = [ready.path, environment.folder.path].map((path) =>
        join(path, "data/postgres"),
      );
      await mkdir(to as string, { recursive: true, mode: 0o700 });
      // For a thousand small files `cp` takes a tenth of the time that Node takes.
      execFileSync("cp", ["-R", join(from as string, "data"), join(to as string, "data")]);
    },
    async hold(caller: Who | "a container", ...more: string[]): Promise<Holder> {
      const holder = await holdDatabase(caller, environment.dataDir, ...more);
      holders.push(holder);
      return holder;
    },
    /** The address by which other programs connect. */
    async publishedUrl(): Promise<string> {
      const file = join(environment.dataDir, "postgres", "connection");
      return (await readFile(file, "utf8")).trim();
    },
  };
  // One cluster for the tests that are not about creating one, which is the slowest part.
  beforeAll(async () => {
    ready = await tempFolder();
    const holder = await holdDatabase(self, join(ready.path, "data"));
    await holder.stop();
  });
  afterAll(() => ready.drop());
  beforeEach(async () => {
    environment.folder = await tempFolder();
    environment.dataDir = join(environment.folder.path, "data");
    holders = [];
  });
  afterEach(async () => {
    for (const holder of holders) await holder.stop();
    environment.folder.drop();
  });
  return environment;
}

export async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(text);
  await client.end();
  return rows;
}
