import {
  displayCall,
  newWallboard,
  nextMade,
  removedWallboard,
  screenReport,
  token,
} from "./made-for-calls.ts";
import { everybodySignedIn, nobodyElse, type Row } from "./row.ts";

/** Also for an owner: these paths know only the credentials of displays. */
const nobodysScreen = "401 401 401 401 401 401 401";

/** The paths of displays and wallboards. */
export const wallRows: Record<string, Row> = {
  "get /displays": { expected: `200 200 ${nobodyElse}` },
  "post /displays": {
    expected: `404 404 ${nobodyElse}`,
    call: async () => ({ body: { code: "AAAABBBB", name: "New", boards: ["b"] } }),
  },
  ...Object.fromEntries(
    [
      ["get /displays/{id}", "200"],
      ["patch /displays/{id}", "200"],
      ["post /displays/{id}/identify", "200"],
      ["post /displays/{id}/reload", "200"],
      ["post /displays/{id}/revoke", "200"],
      ["post /displays/{id}/pair", "404"],
      ["delete /displays/{id}", "204"],
    ].map(([name = "", status]) => [
      name,
      { expected: `${status} ${status} ${nobodyElse}`, call: displayCall(name) },
    ]),
  ),
  "post /display/pairing": { expected: "201 201 201 201 201 201 201" },
  "get /display/pairing": { expected: "200 200 200 200 200 200 200" },
  "get /display/open/{link}": {
    expected: "303 303 303 303 303 303 303",
    call: async () => ({ path: `/display/open/${token}` }),
  },
  "get /display": { expected: nobodysScreen, screen: "200" },
  "post /display/report": {
    expected: nobodysScreen,
    screen: "200",
    call: async () => ({ body: screenReport }),
  },
  "get /wallboards": { expected: everybodySignedIn },
  "post /wallboards": {
    expected: `201 201 ${nobodyElse}`,
    call: async () => ({ body: { name: `Made ${nextMade()}` } }),
  },
  "get /wallboards/{id}": {
    expected: everybodySignedIn,
    call: async (desk) => ({ path: `/wallboards/${await newWallboard(desk)}` }),
  },
  "patch /wallboards/{id}": {
    expected: `200 200 ${nobodyElse}`,
    call: async (desk) => ({
      path: `/wallboards/${await newWallboard(desk)}`,
      body: { name: "Other" },
    }),
  },
  "delete /wallboards/{id}": {
    expected: `204 204 ${nobodyElse}`,
    call: async (desk) => ({ path: `/wallboards/${await newWallboard(desk)}` }),
  },
  "post /wallboards/{id}/restore": {
    expected: `200 200 ${nobodyElse}`,
    call: async (desk) => ({ path: `/wallboards/${await removedWallboard(desk)}/restore` }),
  },
  "post /wallboards/{id}/publish": {
    expected: `200 200 ${nobodyElse}`,
    call: async (desk) => ({ path: `/wallboards/${await newWallboard(desk)}/publish`, body: {} }),
  },
  "post /wallboards/{id}/acknowledgements": {
    expected: "204 204 204 204 404 401 401",
    call: async (desk) => ({
      path: `/wallboards/${await newWallboard(desk)}/acknowledgements`,
      body: { tile: "open", word: "Busy" },
    }),
  },
};
