import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ChangeSetInfo } from "../../shared/protocol/change-sets.ts";
import { TestInstallation } from "../harness/test-installation.ts";
import { addToken, addUser, type TestUser } from "../harness/test-user.ts";

const DRAFT_BYTES = 100_000;
const REFUSAL_BYTES = 20_000;
const TIMES = 103;

let installation: TestInstallation;
let editor: TestUser;
/** A user whose role grants nothing. */
let nobody: TestUser;

beforeAll(async () => {
  installation = await TestInstallation.openInProcess({
    environment: {
      CHANGE_SET_DRAFTS_PER_USER_BYTES: `${DRAFT_BYTES}`,
      REFUSALS_PER_USER_BYTES: `${REFUSAL_BYTES}`,
    },
  });
  const { server, ownerUser } = installation;
  editor = await addUser(server.url, ownerUser, "Editor");
  nobody = await addUser(server.url, ownerUser, "Nobody", "display");
});
afterAll(() => installation[Symbol.asyncDispose]());

async function numberOf(sql: string): Promise<number> {
  const { rows } = await installation.program.query<{ n: number }>(sql);
  return Number(rows[0]?.n);
}

const opCount = () => numberOf("select count(*) as n from watchfloor.change_set_op");

const create = (title: string, table = "incidents") => ({ op: "create", table, values: { title } });

/** The status of a call, and the error if it was refused. */
async function call(token: string, path: string, body: object, method = "POST") {
  const answer = await fetch(`${installation.server.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

describe("drafts", () => {
  it("G10 hold nothing of a user without grants, and are refused alike for hidden and missing tables", async () => {
    const answers = await Promise.all(
      ["incidents", "nowhere"].map((table) =>
        call(nobody.token, "/change-sets", { ops: [create("x".repeat(1_000), table)] }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    expect(answers[0]?.body).toEqual(answers[1]?.body);
    expect(await opCount()).toBe(0);
  });

  it("G10 that are cancelled hold nothing, and a bounded number of them is listed", async () => {
    for (let n = 0; n < TIMES; n += 1) {
      const ops = [create("x".repeat(1_000))];
      const { id } = await editor.call<ChangeSetInfo>("POST", "/change-sets", { ops });
      const { state } = await editor.call<ChangeSetInfo>("POST", `/change-sets/${id}/cancel`, {});
      expect(state).toBe("cancelled");
    }
    expect(await opCount()).toBe(0);
    expect(await numberOf("select count(*) as n from watchfloor.change_set")).toBe(100);
  });

  it("G10 of one user are bounded in bytes, with those of their API tokens", async () => {
    const { token } = await addToken(editor);
    const ops = () => Array.from({ length: 40 }, () => create(randomUUID().repeat(30)));
    const statuses: number[] = [];
    const ids: string[] = [];
    for (let n = 0; n < 6; n += 1) {
      const { status, body } = await call(n % 2 ? token : editor.token, "/change-sets", {
        ops: ops(),
      });
      statuses.push(status);
      if (status === 201) ids.push(String(body.id));
      else expect(body).toMatchObject({ code: "too_large", unit: "bytes", limit: DRAFT_BYTES });
    }
    expect(statuses[0]).toBe(201);
    expect(new Set(statuses)).toEqual(new Set([201, 413]));
    const added = await call(editor.token, `/change-sets/${ids[0]}`, { add: ops() }, "PATCH");
    expect(added.status).toBe(413);
    const other = await call(installation.ownerUser.token, "/change-sets", { ops: ops() });
    expect(other.status).toBe(201);
    await editor.call("DELETE", `/change-sets/${ids[0]}`);
    await editor.call("POST", "/change-sets", { ops: [create("There is room again")] });
  });
});

describe("answers to refused mutations", () => {
  it("M9 are stored for a bounded number of bytes of each user; beyond, their mutations are answered as before", async () => {
    const mutation = () => ({
      id: randomUUID(),
      ops: Array.from({ length: 50 }, () => create("x")),
    });
    const statuses = new Set<number>();
    for (let n = 0; n < 20; n += 1)
      statuses.add((await call(nobody.token, "/mutations", mutation())).status);
    expect([...statuses]).toEqual([200]);
    const stored = await numberOf(
      "select coalesce(sum(length(results::text)), 0) as n from watchfloor.mutation where not (results @> '[{\"ok\": true}]')",
    );
    expect(stored).toBeLessThan(2 * REFUSAL_BYTES);
  });
});

describe("what is removed or made in a circle", () => {
  it("of personal views is stored for the latest 100", async () => {
    for (let n = 0; n < TIMES; n += 1) {
      const view = {
        table: "incidents",
        name: `View ${n}`,
        shared: false,
        columns: [{ field: "title" }],
      };
      const { id } = await editor.call<{ id: string }>("POST", "/views", view);
      await editor.call("DELETE", `/views/${id}`);
    }
    expect(
      await numberOf("select count(*) as n from watchfloor.view where removed_at is not null"),
    ).toBe(100);
  });

  it("of API tokens leaves 100 security events of each kind a day, of which the last counts the others", async () => {
    for (let n = 0; n < TIMES; n += 1) {
      const { id } = await addToken(nobody);
      await nobody.call("DELETE", `/tokens/${id}`);
    }
    const { rows } = await installation.program.query(
      `select kind, count(*)::int as count, max((detail ->> 'more')::int) as more
        from watchfloor.security_event where actor = $1 and kind like 'token%' group by kind order by kind`,
      [nobody.info.id],
    );
    expect(rows).toEqual([
      { kind: "token_created", count: 100, more: TIMES - 100 },
      { kind: "token_revoked", count: 100, more: TIMES - 100 },
    ]);
  });

  it("of more security events than work causes leaves one of each kind a day", async () => {
    const nobodyElse = await addUser(
      installation.server.url,
      installation.ownerUser,
      "Else",
      "display",
    );
    const { id } = nobodyElse.info;
    await installation.program.query(
      `insert into watchfloor.security_event (at, kind, actor)
        select now() - interval '2 days', 'signed_out', $1 from generate_series(1, 5000)`,
      [id],
    );
    const ofToday = `select count(*)::int as count, max((detail ->> 'more')::int) as more
      from watchfloor.security_event where actor = $1 and kind = 'token_created' and at > now() - interval '1 day'`;
    for (const expected of [null, 1, 2]) {
      await addToken(nobodyElse);
      const { rows } = await installation.program.query(ofToday, [id]);
      expect(rows).toEqual([{ count: 1, more: expected }]);
    }
  });
});
