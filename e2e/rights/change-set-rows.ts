import type { RouteName } from "../../shared/protocol/contract.ts";
import { appliedChangeSet, newChangeSet } from "./call-fixtures.ts";
import { everybodySignedIn, type Row } from "./row.ts";

/** A set is changed by its author alone; who can read what it changed sees that, and may draft the way back. */
const authorOnly = "404 404 404 404 401 401";
/** A draft of a user is not that of their tokens. */
const ofToken = "404";

/** The paths of change sets. */
export const changeSetRows = {
  "GET /change-sets": { expected: everybodySignedIn },
  "POST /change-sets": {
    expected: "201 201 201 201 201 401 401",
    call: async () => ({ body: { ops: [] } }),
  },
  "GET /change-sets/{id}": {
    expected: "200 200 200 200 404 401 401",
    call: async (installation) => ({
      path: `/change-sets/${await appliedChangeSet(installation)}`,
    }),
  },
  "PATCH /change-sets/{id}": {
    expected: `200 ${authorOnly}`,
    ofToken,
    call: async (installation) => ({
      path: `/change-sets/${await newChangeSet(installation)}`,
      body: { title: "Renamed" },
    }),
  },
  "DELETE /change-sets/{id}": {
    expected: `204 ${authorOnly}`,
    ofToken,
    call: async (installation) => ({ path: `/change-sets/${await newChangeSet(installation)}` }),
  },
  "POST /change-sets/{id}/import": {
    expected: `200 ${authorOnly}`,
    ofToken,
    call: async (installation) => ({
      path: `/change-sets/${await newChangeSet(installation)}/import?table=incidents`,
      body: "title\nfrom a file\n",
    }),
  },
  "GET /change-sets/{id}/rejects.csv": {
    expected: `200 ${authorOnly}`,
    ofToken,
    call: async (installation) => ({
      path: `/change-sets/${await newChangeSet(installation)}/rejects.csv`,
    }),
  },
  "GET /change-sets/{id}/rejects": {
    expected: `200 ${authorOnly}`,
    ofToken,
    call: async (installation) => ({
      path: `/change-sets/${await newChangeSet(installation)}/rejects`,
    }),
  },
  "PATCH /change-sets/{id}/rejects": {
    // The draft is of no file.
    expected: `409 ${authorOnly}`,
    ofToken,
    call: async (installation) => ({
      path: `/change-sets/${await newChangeSet(installation)}/rejects`,
      body: { field: "title", text: "", value: "A title", line: 2 },
    }),
  },
  "GET /change-sets/{id}/preview": {
    expected: `200 ${authorOnly}`,
    ofToken,
    call: async (installation) => ({
      path: `/change-sets/${await newChangeSet(installation)}/preview`,
    }),
  },
  "POST /change-sets/{id}/apply": {
    expected: `200 ${authorOnly}`,
    ofToken,
    call: async (installation) => ({
      path: `/change-sets/${await newChangeSet(installation)}/apply`,
      body: {},
    }),
  },
  "POST /change-sets/{id}/cancel": {
    expected: `200 ${authorOnly}`,
    ofToken,
    call: async (installation) => ({
      path: `/change-sets/${await newChangeSet(installation)}/cancel`,
    }),
  },
  "POST /change-sets/{id}/revert": {
    expected: "201 201 201 201 404 401 401",
    call: async (installation) => ({
      path: `/change-sets/${await appliedChangeSet(installation)}/revert`,
    }),
  },
} satisfies Partial<Record<RouteName, Row>>;
