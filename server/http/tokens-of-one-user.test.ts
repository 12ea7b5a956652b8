import pg from "pg";
import { describe, expect, it } from "vitest";
import { until } from "../../e2e/harness/until.ts";
import { type ApiClient, apiClient } from "./testing/api-client.ts";
import { serveTests } from "./testing/test-server.ts";
import { createToken, tokenCaller } from "./testing/token-calls.ts";

/** A user with many tokens is one user: they have one share of the server, and nobody's beside it is smaller. */

const GUARD_MS = 30_000;
const RECORDS = "/api/v1/tables/incidents/records";
const USER_MAX = 10;
const SERVER_MAX = 40;

describe("the tokens of one user", () => {
  it("M22 fill one user's place in the commit queue, so that a colleague's edit is accepted beside it", async () => {
    const { server, owner, member } = await serveTests("service-desk", {
      COMMIT_QUEUE_MAX_MUTATIONS: String(SERVER_MAX),
      COMMIT_QUEUE_USER_MAX_MUTATIONS: String(USER_MAX),
      COMMIT_PATIENCE_MS: "120000",
      COMMIT_CALL_TIMEOUT_MS: "180000",
      COMMIT_CONNECTION_TIMEOUT_MS: "150000",
    });
    const [editor, colleague] = [await member(), await member()];
    const tokens: string[] = [];
    for (let n = 0; n < 30; n += 1) tokens.push((await createToken(editor)).token);
    const create = async () =>
      String((await owner.call("POST", RECORDS, { values: { title: "t" } })).body.id);
    const [locked, free] = [await create(), await create()];
    const program = new pg.Client({ connectionString: server.adminUrl });
    await program.connect();
    await program.query("begin");
    await program.query("select from incidents where id = $1 for update", [locked]);
    const callWith = tokenCaller(server.origin);
    const answered: number[] = [];
    const edits = [...tokens, ...tokens].map(async (token, n) => {
      const set = { title: `edit ${n}` };
      const path = `${RECORDS}/${locked}?overwrite=true`;
      answered.push((await callWith(token, "PATCH", path, { set })).status);
    });
    // What is accepted waits for the lock: all edits are there once those beyond the user's bound were refused.
    await until("the queue is full", GUARD_MS, () => answered.length >= edits.length - USER_MAX);
    const patch = { set: { title: "the colleague's" } };
    const { status } = await colleague.call("PATCH", `${RECORDS}/${free}?overwrite=true`, patch);
    await program.query("commit");
    await program.end();
    await Promise.all(edits);
    expect(status).toBe(200);
    expect(answered.filter((one) => one === 200)).toHaveLength(USER_MAX);
    expect(answered.filter((one) => one === 429)).toHaveLength(edits.length - USER_MAX);
  });

  it("are no other users beside their creator: imports and applies by token use parts as large as by session", async () => {
    // A part of long work beside another user's would be the smallest.
    const { server, owner } = await serveTests("service-desk", {
      COMMIT_GROUP_TARGET_MS: "1",
    });
    const { token } = await createToken(owner);
    const program = new pg.Client({ connectionString: server.adminUrl });
    await program.connect();
    const ops = Array.from({ length: 400 }, () => {
      return { op: "create", table: "incidents", values: { title: "applied" } };
    });
    /** How many mutations an import and an apply of 400 records each are committed by. */
    const partsOf = async ({ call }: ApiClient, title: string) => {
      const csv = `title\n${`${title}\n`.repeat(400)}`;
      const headers = { "content-type": "text/csv" };
      const imported = await call("POST", "/api/v1/tables/incidents/imports", csv, headers);
      const draft = await call("POST", "/api/v1/change-sets", { ops });
      const apply = `/api/v1/change-sets/${draft.body.id}/apply`;
      expect((await call("POST", apply, { atomic: false })).body).toMatchObject({ applied: 400 });
      const text = `select count(*)::int as changes, count(distinct mutation)::int as parts
        from watchfloor.change where change_set = $1`;
      const sets = [imported.body.changeSet, draft.body.id];
      return Promise.all(sets.map(async (set) => (await program.query(text, [set])).rows[0]));
    };
    const bySession = await partsOf(owner, "by session");
    expect(bySession).toMatchObject([{ changes: 400 }, { changes: 400 }]);
    expect(await partsOf(apiClient(server.origin, token), "by token")).toEqual(bySession);
    await program.end();
  });
});
