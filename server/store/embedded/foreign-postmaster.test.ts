import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { realpath, rm, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { embeddedEnvironment, query, self } from "./testing/embedded-environment.ts";

const environment = embeddedEnvironment();
const { haveData, hold } = environment;

const postmasterFile = () => join(environment.dataDir, "postgres", "data", "postmaster.pid");

describe("the embedded Postgres, beside another one", () => {
  it("refuses data on which a Postgres runs that it can't see, as in another container", async () => {
    await haveData();
    const first = await hold(self);
    const lines = readFileSync(postmasterFile(), "utf8").split("\n");
    await first.stop();
    // A stand-in for the Postgres there: its process id is another program's here, or nobody's.
    const listener = createServer().listen(join(lines[4] ?? "", `.s.PGSQL.${lines[3]}`));
    await once(listener, "listening");
    const other = spawn("sleep", ["600"]);
    for (const pid of [other.pid, 2 ** 22 - 1]) {
      const text = [pid, ...lines.slice(1)].join("\n");
      await writeFile(postmasterFile(), text);
      const second = await hold(self);
      expect(second.refused).toMatch(/^Another Watchfloor server is already running on /);
      expect(readFileSync(postmasterFile(), "utf8")).toBe(text);
    }
    other.kill();
    listener.close();
    expect((await hold(self)).refused).toBeUndefined();
  });

  it("waits for one that has not opened its sockets yet, and takes over what is left of it", async () => {
    await haveData();
    const first = await hold(self);
    const lines = readFileSync(postmasterFile(), "utf8").split("\n");
    await first.stop();
    // A stand-in for a Postgres in another container, as long as that one starts.
    const text = [2 ** 22 - 1, ...lines.slice(1, 4), "", ""].join("\n");
    await writeFile(postmasterFile(), text);
    const starting = setInterval(() => {
      utimes(postmasterFile(), new Date(), new Date()).catch(() => {});
    }, 100);
    const second = await hold(self);
    clearInterval(starting);
    expect(second.refused).toMatch(/^Another Watchfloor server is already running on /);
    expect(readFileSync(postmasterFile(), "utf8")).toBe(text);
    expect((await hold(self)).refused).toBeUndefined();
  });

  it("refuses data that another one has locked, also before that one has written a lock file", async () => {
    await haveData();
    const data = join(environment.dataDir, "postgres", "data");
    // A stand-in for a Postgres in another container, between its launch and its lock file.
    const other = spawn("flock", ["--no-fork", data, "sleep", "600"]);
    await once(other, "spawn");
    const isLocked = () => spawnSync("flock", ["--nonblock", data, "true"]).status === 1;
    await expect.poll(isLocked).toBe(true);
    const second = await hold(self);
    expect(second.refused).toMatch(/^Another Watchfloor server is already running on /);
    expect(existsSync(postmasterFile())).toBe(false);
    other.kill();
    await once(other, "exit");
    expect((await hold(self)).refused).toBeUndefined();
    expect(isLocked()).toBe(true);
  });

  it("has a socket beside the data also where that path is too long for one, so that another container refuses the data", async () => {
    environment.dataDir = join(environment.folder.path, "long-".repeat(30), "data");
    const first = await hold(self);
    const lines = readFileSync(postmasterFile(), "utf8").split("\n");
    // What another container sees: neither the processes of this one nor its /tmp.
    const unseen = [2 ** 22 - 1, ...lines.slice(1, 4), "/tmp/nowhere", ...lines.slice(5)];
    await writeFile(postmasterFile(), unseen.join("\n"));
    const second = await hold(self);
    expect(second.refused).toMatch(/^Another Watchfloor server is already running on /);
    await writeFile(postmasterFile(), lines.join("\n"));
    expect(await query(first.connection, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  it("says of a copy of a running server's data what it is, and what to do", async () => {
    await haveData();
    const original = environment.dataDir;
    const first = await hold(self);
    await query(first.connection, "CREATE TABLE note AS SELECT 'copied' AS text");
    environment.dataDir = join(environment.folder.path, "copy");
    execFileSync("cp", ["-a", original, environment.dataDir]);
    const copy = await hold(self);
    expect(copy.refused).toMatch(/^\S+ is a copy of a folder whose Postgres is running/);
    expect(copy.refused).toContain(original);
    expect(copy.refused).toContain(`delete ${await realpath(postmasterFile())} and start again`);
    await rm(postmasterFile());
    const started = await hold(self);
    expect(await query(started.connection, "SELECT text FROM note")).toEqual([{ text: "copied" }]);
    await query(started.connection, "DROP TABLE note");
    expect(await query(first.connection, "SELECT text FROM note")).toEqual([{ text: "copied" }]);
  });
});

describe("two containers that start at once on one volume", () => {
  if (process.getuid?.() !== 0) {
    return it("not applicable here: only root may start processes that see no others", () => {});
  }
  it.each(["an empty volume", "data of an earlier server"])(
    "run one Postgres on %s, and the other one is refused",
    async (volume) => {
      if (volume !== "an empty volume") await haveData();
      const both = await Promise.all([hold("a container"), hold("a container")]);
      const refused = both.flatMap((one) => one.refused ?? []);
      expect(refused).toEqual([
        expect.stringMatching(/^Another Watchfloor server(?: \(process 1\))? is already run/),
      ]);
    },
  );
});
