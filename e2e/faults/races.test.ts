import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { owner, ServerProcess } from "../harness/server-process.ts";
import { createInstalled } from "../harness/test-installation.ts";
import { addUser, signIn, type TestUser } from "../harness/test-user.ts";
import { headOf, Watcher } from "../harness/watcher.ts";
import { anyDatabase } from "../provision/databases.ts";
import { proofSize } from "../provision/proof-size.ts";

const RACES = proofSize(60, 500);
const timeout = 900_000;

describe("two users on one record", () => {
  let server: ServerProcess;
  let ann: Watcher;
  let bob: Watcher;
  let user: TestUser;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    const database = await createInstalled(anyDatabase);
    server = await ServerProcess.start({ environment: { DATABASE_URL: database.url } });
    user = await signIn(server.url, owner);
    ann = await Watcher.open(await addUser(server.url, user, "Ann"));
    bob = await Watcher.open(await addUser(server.url, user, "Bob"));
    stop = async () => {
      await ann[Symbol.asyncDispose]();
      await bob[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      await database.drop();
    };
  });
  afterAll(() => stop());

  /** Both edit at the same moment, each from what their own screen shows. */
  async function race(record: string, fields: [string, string], round: number) {
    const edits = [ann, bob].map((caller, index) => {
      const field = fields[index] as string;
      const base = { [field]: caller.values(record)?.[field] ?? null };
      const set = { [field]: `${index ? "bob" : "ann"} ${round}` };
      return caller.core.edits.edit("incidents", { record, set, base });
    });
    const outcomes = await Promise.all(edits.map((edit) => edit.outcome));
    const head = await headOf(user);
    await Promise.all([ann.reaches(head), bob.reaches(head)]);
    return { edits, outcomes };
  }

  it(`on different fields: both succeed, ${RACES} times of ${RACES}`, { timeout }, async () => {
    for (let round = 0; round < RACES; round++) {
      const { outcomes } = await race("seed-1", ["title", "location"], round);
      expect(outcomes.map(({ kind }) => kind)).toEqual(["confirmed", "confirmed"]);
      const { values } = await user.record("incidents", "seed-1");
      expect(values).toMatchObject({ title: `ann ${round}`, location: `bob ${round}` });
    }
  });

  it(`on the same field: the loser gets a conflict, ${RACES} times of ${RACES}`, {
    timeout,
  }, async () => {
    for (let round = 0; round < RACES; round++) {
      const { edits, outcomes } = await race("seed-2", ["title", "title"], round);
      expect(outcomes.map(({ kind }) => kind).sort()).toEqual(["confirmed", "refused"]);
      const loser = outcomes.findIndex(({ kind }) => kind === "refused");
      const refused = outcomes[loser];
      expect(refused).toMatchObject({ code: "conflict" });
      const { values } = await user.record("incidents", "seed-2");
      expect(values.title).toBe(`${loser ? "ann" : "bob"} ${round}`);
      const caller = loser ? bob : ann;
      for (const ref of edits[loser]?.refs ?? []) caller.core.edits.resolve(ref, "title", "theirs");
    }
  });
});
