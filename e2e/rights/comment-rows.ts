import type { RouteName } from "../../shared/protocol/contract.ts";
import type { TestInstallation } from "../harness/test-installation.ts";
import { newRecord } from "./call-fixtures.ts";
import { everybodySignedIn, type Row } from "./row.ts";

const readers = "200 200 200 200 404 401 401";

async function newComment(installation: TestInstallation) {
  const record = await newRecord(installation);
  const call = { table: "incidents", record, text: "made" };
  const { id } = await installation.ownerUser.call<{ id: string }>("POST", "/comments", call);
  return { id, record };
}

/** The paths of comments: readers of the record read them, the grant `comment` writes. */
export const commentRows = {
  "GET /comments": { expected: everybodySignedIn },
  "POST /comments": {
    expected: "201 201 201 403 404 401 401",
    call: async (installation) => ({
      body: { table: "incidents", record: await newRecord(installation), text: "made" },
    }),
  },
  "GET /comments/mentionable": {
    expected: "200 200 200 403 404 401 401",
    call: async (installation) => ({
      path: `/comments/mentionable?table=incidents&record=${await newRecord(installation)}`,
    }),
  },
  "PUT /comments/read": {
    expected: "204 204 204 204 404 401 401",
    call: async (installation) => {
      const { id: until, record } = await newComment(installation);
      return { path: "/comments/read", body: { table: "incidents", record, until } };
    },
  },
  "GET /comments/{id}": {
    expected: readers,
    call: async (installation) => ({ path: `/comments/${(await newComment(installation)).id}` }),
  },
  "PATCH /comments/{id}": {
    expected: "200 200 200 403 404 401 401",
    call: async (installation) => ({
      path: `/comments/${(await newComment(installation)).id}`,
      body: { resolved: true },
    }),
  },
  "DELETE /comments/{id}": {
    expected: "204 204 403 403 404 401 401",
    call: async (installation) => ({ path: `/comments/${(await newComment(installation)).id}` }),
  },
  "POST /comments/{id}/restore": {
    // only who removed it: the owner, not a token of the owner's
    expected: "200 404 404 404 404 401 401",
    ofToken: "404",
    call: async (installation) => {
      const { id } = await newComment(installation);
      await installation.ownerUser.call("DELETE", `/comments/${id}`);
      return { path: `/comments/${id}/restore` };
    },
  },
} satisfies Partial<Record<RouteName, Row>>;
