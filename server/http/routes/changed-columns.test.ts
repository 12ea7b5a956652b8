import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { anyDatabase } from "../../../e2e/provision/databases.ts";
import { tempFolder } from "../../../e2e/provision/temp-folder.ts";
import { writeBackup } from "../../store/backup/write-backup.ts";
import { openDatabase } from "../../store/database.ts";
import { type ApiClient, signedInClient } from "../testing/api-client.ts";
import { ownerCredentials, startTestServer, type TestServer } from "../testing/test-server.ts";

/** Another program renames, drops or retypes a column of a table. */

const RECORDS = "/api/v1/tables/incidents/records";

let server: TestServer;
let owner: ApiClient;
let program: pg.Client;

beforeAll(async () => {
  server = await startTestServer({}, {}, anyDatabase);
  await server.owner("service-desk");
  owner = await signedInClient(server.origin, ownerCredentials);
  program = new pg.Client({ connectionString: server.databaseUrl });
  await program.connect();
  const ops = [{ op: "create", table: "incidents", record: "one", values: { title: "One" } }];
  const { body } = await owner.call("POST", "/api/v1/mutations", { id: "seed", ops });
  expect(body.results).toMatchObject([{ ok: true }]);
});
afterAll(async () => {
  await program.end();
  await server.close();
});

const changes = [
  {
    does: "renames",
    change: "rename column notes to remarks",
    back: "rename column remarks to notes",
    field: "notes",
    problem: "column notes is missing",
  },
  {
    does: "drops",
    change: "drop column due_at",
    back: "add column due_at timestamptz",
    field: "due_at",
    problem: "column due_at is missing",
  },
  {
    does: "retypes",
    change: "alter column reassignments type text",
    back: "alter column reassignments type bigint using reassignments::bigint",
    field: "reassignments",
    problem: "column reassignments has type text",
  },
];

describe.each(changes)(
  "when another program $does a column",
  ({ change, back, field, problem }) => {
    beforeAll(() => program.query(`alter table incidents ${change}`));
    afterAll(() => program.query(`alter table incidents ${back}`));

    const sentence = `The table Incidents no longer fits the model: ${problem}.`;
    const refusal = {
      code: "model_mismatch",
      message: sentence,
      table: "incidents",
      fields: [field],
    };

    it("says so of the table, a record, and a search", async () => {
      for (const path of [RECORDS, `${RECORDS}/one`, `${RECORDS}?search=o`]) {
        expect(await owner.call("GET", path)).toMatchObject({ status: 503, body: refusal });
      }
    });

    it("reads the rest of the table", async () => {
      const { status, body } = await owner.call("GET", `${RECORDS}?fields=title,state`);
      expect([status, body.records]).toMatchObject([
        200,
        [{ id: "one", values: { title: "One" } }],
      ]);
    });

    it("refuses edits of the table with the same sentence, and takes those of others", async () => {
      const title = { set: { title: "Two" }, base: { title: "One" } };
      const ops = [
        { op: "update", table: "incidents", record: "one", ...title },
        { op: "create", table: "services", values: { name: crypto.randomUUID() } },
      ];
      const answers = await Promise.all(
        ops.map((op) =>
          owner.call("POST", "/api/v1/mutations", { id: crypto.randomUUID(), ops: [op] }),
        ),
      );
      expect(answers[0]?.body).toMatchObject(refusal);
      expect(answers[1]?.body.results).toMatchObject([{ ok: true }]);
      const { rows } = await program.query("select title from incidents where id = 'one'");
      expect(rows).toEqual([{ title: "One" }]);
    });

    it("is no unforeseen failure", () => {
      expect(server.log.filter((line) => line.includes("unforeseen failure"))).toEqual([]);
    });

    it("makes no backup, in one sentence", async () => {
      const folder = await tempFolder();
      const database = openDatabase({
        ...{ connectionString: server.databaseUrl, poolSize: 1, onError: () => {} },
      });
      const written = writeBackup(database, `${folder.path}/file`, "0");
      await expect(written).rejects.toThrow(
        `Table incidents no longer fits the model: ${problem}.`,
      );
      await database.close();
      folder.drop();
    });
  },
);

it("continues once the columns are back", async () => {
  expect((await owner.call("GET", `${RECORDS}/one`)).status).toBe(200);
});
