import type { RouteName } from "../../shared/protocol/contract.ts";
import { newRecord } from "./call-fixtures.ts";
import { everybodySignedIn, type Row } from "./row.ts";

/** The paths of the inbox: everybody's own, for users with a session alone. */
export const inboxRows = {
  "GET /inbox": { expected: everybodySignedIn, ofToken: "403" },
  "POST /inbox/read": {
    expected: "204 204 204 204 204 401 401",
    ofToken: "403",
    call: async () => ({ body: { all: true } }),
  },
  "GET /watches": { expected: everybodySignedIn, ofToken: "403" },
  "PUT /watches": {
    expected: "200 200 200 200 404 401 401",
    ofToken: "403",
    call: async (installation) => ({
      body: { table: "incidents", record: await newRecord(installation) },
    }),
  },
  "DELETE /watches/{id}": {
    // only whose it is
    expected: "204 404 404 404 404 401 401",
    ofToken: "403",
    call: async (installation) => {
      const call = { table: "incidents", record: await newRecord(installation) };
      const { id } = await installation.ownerUser.call<{ id: string }>("PUT", "/watches", call);
      return { path: `/watches/${id}` };
    },
  },
  "GET /me/notifications": { expected: everybodySignedIn, ofToken: "403" },
  "PUT /me/notifications": {
    expected: everybodySignedIn,
    ofToken: "403",
    call: async () => ({ body: { quiet: null } }),
  },
  "POST /unsubscribe/{token}": {
    expected: "404 404 404 404 404 404 404",
    call: async () => ({ path: "/unsubscribe/nobodys" }),
  },
} satisfies Partial<Record<RouteName, Row>>;
