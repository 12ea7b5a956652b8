import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { embeddedEnvironment, query, self } from "./testing/embedded-environment.ts";

const environment = embeddedEnvironment();
const { haveData, hold } = environment;

const postmasterFile = () => join(environment.dataDir, "postgres", "data", "postmaster.pid");
const inUse = /^Another Watchfloor server is already running on /;

describe("the embedded Postgres, beside another one", () => {
  it("refuses data that another one has locked, and leaves its lock file alone", async () => {
    await haveData();
    const data = join(environment.dataDir, "postgres", "data");
    // A stand-in for a Postgres in another container. Its number may be nobody's here, or another program's.
    const other = spawn("flock", ["--no-fork", data, "sleep", "600"]);
    await once(other, "spawn");
    const isLocked = () => spawnSync("flock", ["--nonblock", data, "true"]).status === 1;
    await expect.poll(isLocked).toBe(true);
    expect((await hold(self)).refused).toMatch(inUse);
    expect(existsSync(postmasterFile())).toBe(false);
    const text = `${process.pid}\n${await realpath(data)}\n`;
    await writeFile(postmasterFile(), text);
    expect((await hold(self)).refused).toMatch(inUse);
    expect(readFileSync(postmasterFile(), "utf8")).toBe(text);
    other.kill();
    await once(other, "exit");
    expect((await hold(self)).refused).toBeUndefined();
    expect(isLocked()).toBe(true);
  });

  it("refuses a copy of a running server's data also when that server has ended, and says what to do", async () => {
    await haveData();
    const original = environment.dataDir;
    const first = await hold(self);
    await query(first.connection, "CREATE TABLE note AS SELECT 'copied' AS text");
    environment.dataDir = join(environment.folder.path, "copy");
    execFileSync("cp", ["-a", original, environment.dataDir]);
    const copy = await hold(self);
    expect(copy.refused).toContain(`belongs to ${await realpath(join(original, "postgres/data"))}`);
    expect(copy.refused).toContain(`delete ${await realpath(postmasterFile())} and start again`);
    await first.stop();
    expect((await hold(self)).refused).toBe(copy.refused);
    await rm(postmasterFile());
    const started = await hold(self);
    expect(await query(started.connection, "SELECT text FROM note")).toEqual([{ text: "copied" }]);
  });

  it("refuses to start where nothing can lock the data", async () => {
    await haveData();
    const programs = join(environment.folder.path, "programs");
    await mkdir(programs);
    for (const name of ["unshare", "true", "sh"])
      await symlink(`/usr/bin/${name}`, join(programs, name));
    const { refused } = await hold(self, `path=${programs}`);
    expect(refused).toMatch(/^\S+ can't be locked against a second Postgres \(.*flock.*\): /);
    expect((await hold(self)).refused).toBeUndefined();
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
