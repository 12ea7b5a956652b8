import type { RouteName } from "../../shared/protocol/contract.ts";
import {
  displayCall,
  newWallboard,
  nextSerial,
  removedWallboard,
  screenReport,
  token,
} from "./call-fixtures.ts";
import { everybodySignedIn, nobodyElse, type Row } from "./row.ts";

/** Also for an owner: these paths accept only the credentials of displays. */
const nobodysScreen = "401 401 401 401 401 401 401";

/** Of one display, a new one for each call. */
function displayRow(end: string, status: string, body?: object): Row {
  return { expected: `${status} ${status} ${nobodyElse}`, call: displayCall(end, body) };
}

/** The paths of displays and wallboards. */
export const wallRows = {
  "GET /displays": { expected: `200 200 ${nobodyElse}` },
  "POST /displays": {
    expected: `404 404 ${nobodyElse}`,
    call: async () => ({ body: { code: "AAAABBBB", name: "New", boards: ["b"] } }),
  },
  "GET /displays/{id}": displayRow("", "200"),
  "PATCH /displays/{id}": displayRow("", "200", { name: "Other" }),
  "POST /displays/{id}/identify": displayRow("/identify", "200"),
  "POST /displays/{id}/reload": displayRow("/reload", "200"),
  "POST /displays/{id}/take-over": displayRow("/take-over", "200"),
  "POST /displays/{id}/revoke": displayRow("/revoke", "200"),
  "POST /displays/{id}/pair": displayRow("/pair", "404", { code: "AAAABBBB" }),
  "DELETE /displays/{id}": displayRow("", "204"),
  "POST /display/pairing": { expected: "201 201 201 201 201 201 201" },
  "GET /display/pairing": { expected: "200 200 200 200 200 200 200" },
  "GET /display/open/{link}": {
    expected: "303 303 303 303 303 303 303",
    call: async () => ({ path: `/display/open/${token}` }),
  },
  "GET /display": { expected: nobodysScreen, screen: "200" },
  "POST /display/report": {
    expected: nobodysScreen,
    screen: "200",
    call: async () => ({ body: screenReport }),
  },
  "GET /wallboards": { expected: everybodySignedIn },
  "POST /wallboards": {
    expected: `201 201 ${nobodyElse}`,
    call: async () => ({ body: { name: `Made ${nextSerial()}` } }),
  },
  "GET /wallboards/{id}": {
    expected: everybodySignedIn,
    call: async (installation) => ({ path: `/wallboards/${await newWallboard(installation)}` }),
  },
  "PATCH /wallboards/{id}": {
    expected: `200 200 ${nobodyElse}`,
    call: async (installation) => ({
      path: `/wallboards/${await newWallboard(installation)}`,
      body: { name: "Other" },
    }),
  },
  "DELETE /wallboards/{id}": {
    expected: `204 204 ${nobodyElse}`,
    call: async (installation) => ({ path: `/wallboards/${await newWallboard(installation)}` }),
  },
  "POST /wallboards/{id}/restore": {
    expected: `200 200 ${nobodyElse}`,
    call: async (installation) => ({
      path: `/wallboards/${await removedWallboard(installation)}/restore`,
    }),
  },
  "POST /wallboards/{id}/publish": {
    expected: `200 200 ${nobodyElse}`,
    call: async (installation) => ({
      path: `/wallboards/${await newWallboard(installation)}/publish`,
      body: {},
    }),
  },
  "POST /wallboards/{id}/acknowledgements": {
    expected: "204 204 204 403 404 401 401",
    call: async (installation) => ({
      path: `/wallboards/${await newWallboard(installation)}/acknowledgements`,
      body: { tile: "open", word: "Busy" },
    }),
  },
} satisfies Partial<Record<RouteName, Row>>;
