import { request } from "node:http";
import { describe, expect, it } from "vitest";
import type { ChangeSetInfo } from "../../shared/protocol/change-sets.ts";
import type { DraftImport } from "../../shared/protocol/import-report.ts";
import { owner, ServerProcess } from "../harness/server-process.ts";
import { signIn, type TestUser } from "../harness/test-user.ts";
import { until } from "../harness/until.ts";
import { databases } from "../provision/databases.ts";

const ROWS = 5_000;
const csv = `number,title\n${Array.from({ length: ROWS }, (_, n) => `K${n},Row ${n}\n`).join("")}`;

const pathOf = (id: string) => `/api/v1/change-sets/${id}/import?table=incidents&key=number`;
const headersOf = ({ token }: TestUser) => ({
  authorization: `Bearer ${token}`,
  "content-type": "text/csv",
});

/** Sends half of the file and leaves the connection open. */
function sendHalf(url: string, user: TestUser, id: string): void {
  const sending = request(url + pathOf(id), { method: "POST", headers: headersOf(user) });
  sending.on("error", () => {});
  sending.write(csv.slice(0, csv.length / 2));
}

describe("a server that is killed while a file is imported into a draft", () => {
  it("has applied nothing; the part can't be applied, and the file is imported again", async () => {
    const kind = databases.at(-1);
    if (!kind) throw new Error("There is no database to test on.");
    const database = await kind.create();
    const server = await ServerProcess.start({ environment: { DATABASE_URL: database.url } });
    try {
      const user = await signIn(server.url, owner);
      const { id } = await user.call<ChangeSetInfo>("POST", "/change-sets", {});
      const read = () => user.call<ChangeSetInfo>("GET", `/change-sets/${id}`);
      sendHalf(server.url, user, id);
      await until("a part is stored", 30_000, async () => (await read()).progress.total > 0);
      await server.kill("SIGKILL");
      await server.start();
      expect(await read()).toMatchObject({ state: "draft", import: { isComplete: false } });
      const refused = await fetch(`${server.url}/api/v1/change-sets/${id}/apply`, {
        method: "POST",
        headers: { ...headersOf(user), "content-type": "application/json" },
        body: "{}",
      });
      expect(await refused.json()).toMatchObject({ code: "conflict", state: "draft" });
      const again = await fetch(server.url + pathOf(id), {
        method: "POST",
        headers: headersOf(user),
        body: csv,
      });
      const report = (await again.json()) as DraftImport;
      expect(report).toMatchObject({ rows: ROWS, created: ROWS, superseded: 0, failed: 0 });
      await user.call("POST", `/change-sets/${id}/apply`, {});
      await until("it is applied", 120_000, async () => (await read()).state === "applied");
      expect((await read()).progress).toMatchObject({ applied: ROWS, total: ROWS });
    } finally {
      await server.kill("SIGTERM");
      await database.drop();
    }
  });
});
