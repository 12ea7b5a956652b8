import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Who } from "../../server/store/embedded/testing/database-holder.ts";
import { freePort } from "../provision/free-port.ts";
import { someCases } from "../provision/proof-size.ts";
import { type TempFolder, tempFolder } from "../provision/temp-folder.ts";
import { copyRepository, type NpmStart, npmStart } from "./npm-start.ts";

let clone: string;
let started: NpmStart[] = [];

/** A clone below a folder that only its owner may enter. */
async function closedClone(): Promise<TempFolder> {
  const folder = await tempFolder();
  mkdirSync(join(folder.path, "closed"), { mode: 0o700 });
  clone = join(folder.path, "closed", "clone");
  copyRepository(clone);
  return folder;
}

afterEach(async () => {
  for (const one of started) await one.stop();
  started = [];
});

async function start(caller: Who, environment?: Record<string, string>): Promise<NpmStart> {
  const one = await npmStart(clone, caller, await freePort(), environment);
  started.push(one);
  return one;
}

async function isUp(one: NpmStart): Promise<boolean> {
  const answer = await fetch(`${one.url}/healthz`).catch(() => undefined);
  return answer?.ok === true;
}

const owner = {
  WATCHFLOOR_OWNER_EMAIL: "owner@example.com",
  WATCHFLOOR_OWNER_PASSWORD: "a long enough password",
  WATCHFLOOR_TEMPLATE: "empty",
};

async function countUsers(): Promise<number> {
  const connectionString = readFileSync(join(clone, "data/postgres/connection"), "utf8").trim();
  const client = new Client({ connectionString });
  await client.connect();
  const { rowCount } = await client.query("SELECT id FROM watchfloor.user");
  await client.end();
  return rowCount ?? 0;
}

const postmaster = () =>
  Number.parseInt(readFileSync(join(clone, "data/postgres/data/postmaster.pid"), "utf8"), 10);

const self: Who = process.getuid?.() === 0 ? "root" : "an ordinary user";
const other: Who = self === "root" ? "an ordinary user" : "root";

describe.each(someCases([other, self]))("npm start, typed by %s", (caller) => {
  let folder: TempFolder;
  beforeAll(async () => {
    folder = await closedClone();
  });
  afterAll(() => folder.drop());

  it("works from a clone below a closed folder, and prints the set-up link until there is an owner", async () => {
    const first = await start(caller);
    expect(await isUp(first)).toBe(true);
    expect(first.output()).toContain(`${new URL(first.url).port}/setup#token=`);
    expect(await first.stop()).toBe(0);
    const second = await start(caller, owner);
    expect(await isUp(second)).toBe(true);
    expect(second.output()).not.toContain("/setup#token=");
  });

  if (caller !== self) return;
  it("is refused with one sentence when it already runs on this data, and starts again after kill -9 of the server, of all that npm started, and of Postgres as well", async () => {
    const first = await start(caller);
    const refused = await start(caller);
    expect(await refused.ended).toBe(1);
    const { server } = first.processes();
    expect(refused.output()).toContain(`Another Watchfloor server (process ${server}) is already`);
    expect(refused.output()).not.toMatch(/\n\s+at /);
    expect(await isUp(first)).toBe(true);
    await first.kill([server]);
    const second = await start(caller);
    expect(await isUp(second)).toBe(true);
    await second.kill(second.processes().all);
    const third = await start(caller);
    expect(await isUp(third)).toBe(true);
    await third.kill([...third.processes().all, postmaster()]);
    const fourth = await start(caller);
    expect(await isUp(fourth)).toBe(true);
    expect(await countUsers()).toBe(1);
  });
});
