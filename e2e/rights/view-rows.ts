import type { RouteName } from "../../shared/protocol/contract.ts";
import { nextSerial, removedView, sharedView } from "./call-fixtures.ts";
import { everybodySignedIn, type Row } from "./row.ts";

const readers = "200 200 200 200 404 401 401";
/** Of a shared view: users who read the table see it, the right `sharedViews` changes it. */
const curators = "403 403 404 401 401";

/** The paths of views. */
export const viewRows = {
  "GET /views": { expected: everybodySignedIn },
  "POST /views": {
    expected: "201 201 201 403 404 401 401",
    call: async () => ({ body: { table: "incidents", name: `Made ${nextSerial()}` } }),
  },
  "GET /views/{id}": {
    expected: readers,
    call: async (installation) => ({ path: `/views/${await sharedView(installation)}` }),
  },
  "PATCH /views/{id}": {
    expected: `200 200 ${curators}`,
    call: async (installation) => ({
      path: `/views/${await sharedView(installation)}`,
      body: { filter: null },
    }),
  },
  // A record that is none: who may move the records of the view is answered as for one that is hidden.
  "POST /views/{id}/order": {
    expected: `404 404 ${curators}`,
    call: async (installation) => ({
      path: `/views/${await sharedView(installation)}/order`,
      body: { moves: [{ records: ["none"], after: null }] },
    }),
  },
  "DELETE /views/{id}/order": {
    expected: `200 200 ${curators}`,
    call: async (installation) => ({ path: `/views/${await sharedView(installation)}/order` }),
  },
  "DELETE /views/{id}": {
    expected: `204 204 ${curators}`,
    call: async (installation) => ({ path: `/views/${await sharedView(installation)}` }),
  },
  "POST /views/{id}/restore": {
    expected: `200 200 ${curators}`,
    call: async (installation) => ({ path: `/views/${await removedView(installation)}/restore` }),
  },
} satisfies Partial<Record<RouteName, Row>>;
