import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { WireChange } from "../../shared/protocol/feed.ts";
import { owner, ServerProcess } from "../harness/server-process.ts";
import { TestInstallation } from "../harness/test-installation.ts";
import { addUser, signIn, type TestUser } from "../harness/test-user.ts";
import { headOf, Watcher } from "../harness/watcher.ts";
import { workableIncident } from "../harness/workable-incident.ts";
import { systemDatabase } from "../provision/databases.ts";
import { proofSize } from "../provision/proof-size.ts";
import { type TempFolder, tempFolder } from "../provision/temp-folder.ts";

const KILLS = proofSize(2, 10);
const EDITS_PER_KILL = proofSize(120, 1_000);
const WRITERS = 4;

/** One user who edits one record again and again, each time to a value never used before. */
class Writer {
  readonly sent: string[] = [];
  readonly confirmed: string[] = [];
  readonly record: string;
  readonly #screen: Watcher;

  constructor(screen: Watcher, record: string) {
    this.#screen = screen;
    this.record = record;
  }

  async write(count: number): Promise<void> {
    for (let left = count; left > 0; left--) {
      const title = `${this.record} ${this.sent.length + 1}`;
      const base = { title: this.#screen.values(this.record)?.title ?? null };
      this.sent.push(title);
      const edit = this.#screen.core.edits.edit("incidents", {
        record: this.record,
        set: { title },
        base,
      });
      const outcome = await edit.outcome;
      expect(outcome).toMatchObject({ kind: "confirmed" });
      this.confirmed.push(title);
    }
  }
}

/** All titles that a record was ever given, in the order of the log. */
async function titlesInLog(user: TestUser, record: string): Promise<unknown[]> {
  const titles: unknown[] = [];
  for (let after = "start"; ; ) {
    const page: { items: WireChange[]; epoch: string; seq: number; head: number } = await user.call(
      "GET",
      `/changes?table=incidents&limit=5000&after=${after}`,
    );
    const own = page.items.filter((change) => change.record === record && change.kind === "update");
    titles.push(...own.map(({ set }) => set.title));
    if (page.seq >= page.head) return titles;
    after = `${page.epoch}.${page.seq}`;
  }
}

/** `first` is the number of the first writer and their record, where others have written before. */
async function survive(
  server: ServerProcess,
  crash: () => Promise<void>,
  first = 1,
): Promise<void> {
  const user = await signIn(server.url, owner);
  const writers: Writer[] = [];
  const screens: Watcher[] = [];
  for (let index = first; index < first + WRITERS; index++) {
    const screen = await Watcher.open(await addUser(server.url, user, `Writer ${index}`));
    screens.push(screen);
    writers.push(new Writer(screen, workableIncident(index)));
  }
  for (let kill = 0; kill < KILLS; kill++) {
    const perWriter = Math.ceil(EDITS_PER_KILL / WRITERS);
    const writing = Promise.all(writers.map((writer) => writer.write(perWriter)));
    const enough = async () => {
      const until = kill * perWriter * WRITERS + (perWriter * WRITERS) / 2;
      while (writers.reduce((sum, { confirmed }) => sum + confirmed.length, 0) < until) {
        await new Promise((done) => setTimeout(done, 2));
      }
    };
    await Promise.race([enough(), writing]);
    await crash();
    await writing;
  }
  const head = await headOf(user);
  for (const screen of screens) {
    await screen.reaches(head);
    const { shown, stored } = await screen.againstQuery();
    expect(shown).toEqual(stored);
    await screen[Symbol.asyncDispose]();
  }
  for (const { record, sent, confirmed } of writers) {
    expect(confirmed).toEqual(sent);
    expect(await titlesInLog(user, record)).toEqual(sent);
  }
}

const title = `${KILLS} times in the middle of ${EDITS_PER_KILL} edits: each is there once, in order`;
const timeout = 1_200_000;

describe("kill -9", () => {
  it(`of the server on the system's Postgres, ${title}`, { timeout }, async () => {
    await using installation = await TestInstallation.open({ kind: systemDatabase });
    const { server } = installation;
    await survive(server, async () => {
      await server.kill("SIGKILL");
      await server.start();
    });
  });

  describe("with its own Postgres", () => {
    let folder: TempFolder;
    let server: ServerProcess;
    beforeAll(async () => {
      folder = await tempFolder();
      server = await ServerProcess.start({ environment: { DATA_DIR: folder.path } });
    });
    afterAll(async () => {
      await server[Symbol.asyncDispose]();
      folder.drop();
    });

    it(`of the server alone, its Postgres left behind, ${title}`, { timeout }, async () => {
      await survive(server, async () => {
        await server.kill("SIGKILL");
        await server.start();
      });
    });

    it(`of the server and its Postgres, ${title}`, { timeout }, async () => {
      await survive(
        server,
        async () => {
          process.kill(await postmasterPid(folder.path), "SIGKILL");
          await server.kill("SIGKILL");
          await server.start();
        },
        1 + WRITERS,
      );
    });
  });
});

async function postmasterPid(dataDir: string): Promise<number> {
  const files = await readdir(dataDir, { recursive: true });
  const file = files.find((name) => name.endsWith("postmaster.pid"));
  return Number((await readFile(join(dataDir, file ?? ""), "utf8")).split("\n")[0]);
}
