import { expect } from "vitest";
import { type ApiClient, signedInClient } from "./api-client.ts";

const API = "/api/v1";
export const COMMENTS = `${API}/comments`;
export const INCIDENTS = `${API}/tables/incidents/records`;
export const password = "a long password";

export interface Item {
  id: string;
  text: string;
  unread: boolean;
}

/** Writes a comment on an incident and returns its id. */
export async function comment(by: ApiClient, record: string, text = "Looks bad"): Promise<string> {
  const { body, status } = await by.call("POST", COMMENTS, { table: "incidents", record, text });
  expect({ status, body }).toMatchObject({ status: 201 });
  return String(body.id);
}

export async function listed(by: ApiClient, query: string): Promise<Item[]> {
  const { body, status } = await by.call("GET", `${COMMENTS}?${query}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.items as Item[];
}

/** The query for the comments of an incident. */
export const thread = (record: string) => `table=incidents&record=${record}`;
export const textsOf = (items: Item[]) => items.map(({ text }) => text);

/** Two groups, with a user who reads and comments the incidents of each, and a function that makes more such users. */
export async function commentingUsers(origin: string, owner: ApiClient) {
  let made = 0;
  const memberOf = async (group: string, grant: object = { comment: true, history: true }) => {
    const read = { filter: { field: "group", op: "eq", value: "$me.group" } };
    const grants = { incidents: { read, update: true, create: true, ...grant } };
    const role = { name: `R${++made}`, rights: [], grants };
    const { id } = (await owner.call("POST", `${API}/roles`, role)).body;
    const email = `c${++made}@example.com`;
    const call = { email, name: `User ${made}`, role: id, password, attributes: { group } };
    const { body } = await owner.call("POST", `${API}/users`, call);
    const client = await signedInClient(origin, { email, password });
    return Object.assign(client, { id: String(body.id) });
  };
  for (const name of ["Network", "Database"]) {
    await owner.call("POST", `${API}/tables/groups/records`, { record: name, values: { name } });
  }
  const [network, database] = [await memberOf("Network"), await memberOf("Database")];
  return { memberOf, network, database };
}

/** Makes an incident and returns its id. */
export async function incidentBy(
  owner: ApiClient,
  group = "Network",
  values: object = {},
): Promise<string> {
  const call = { values: { title: "Down", group, ...values } };
  return String((await owner.call("POST", INCIDENTS, call)).body.id);
}
