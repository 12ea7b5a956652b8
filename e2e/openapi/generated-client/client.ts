import createClient from "openapi-fetch";
import type { components, paths } from "./types.ts";

/**
 * What somebody writes who knows the API by its document alone. The test generates `types.ts` from a running server, compiles this
 * with the repository's strict settings and runs it. Wrong calls must not compile.
 */
const [, , baseUrl = "", token = ""] = process.argv;
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });

type Incident = components["schemas"]["IncidentsRecord"];

const created = await client.POST("/api/v1/tables/incidents/records", {
  body: { values: { title: "Printer on fire", priority: "2 - High" } },
});
const incident: Incident = expectData(created);
const priority: "1 - Critical" | "2 - High" | "3 - Moderate" | "4 - Low" | null =
  incident.values.priority;

const params = { path: { id: incident.id } };
const edited = await client.PATCH("/api/v1/tables/incidents/records/{id}", {
  params,
  body: { set: { title: "Printer smokes" }, base: { title: incident.values.title } },
});
const run = await client.POST("/api/v1/tables/incidents/records/{id}/transitions/{name}", {
  params: { path: { ...params.path, name: "activate" } },
  body: { from: "New" },
});
const page = await client.GET("/api/v1/tables/incidents/records", {
  params: { query: { limit: 5, sort: "-number", search: "smokes", fields: "title,state" } },
});
const generic = await client.POST("/api/v1/mutations", {
  body: {
    id: crypto.randomUUID(),
    ops: [{ op: "create", table: "groups", values: { name: "Night shift", email: null } }],
  },
});
const refused = await client.PATCH("/api/v1/tables/{table}/records/{id}", {
  params: { path: { table: "incidents", id: incident.id } },
  body: { set: { title: "Third" }, base: { title: "never seen" } },
});

const history = await client.GET("/api/v1/tables/incidents/records/{id}/history", { params });
const [entry] = expectData(history).items;
const formerState: string | null | undefined = entry?.fields.state?.before;
const summary = await client.GET("/api/v1/tables/incidents/summary", {
  params: { query: { group: "priority", measure: "count" } },
});
const file = await client.GET("/api/v1/tables/groups/export.csv", {
  params: { query: { fields: "name", sort: "name" } },
  parseAs: "text",
});

type Create = components["schemas"]["IncidentsCreate"];
type Update = components["schemas"]["IncidentsUpdate"];
// @ts-expect-error: no field of that name
({ tilte: "x" }) satisfies Create;
// @ts-expect-error: no option of that name
({ priority: "Urgent" }) satisfies Create;
// @ts-expect-error: the state changes only by a transition
({ state: "New" }) satisfies Update;

console.log(
  JSON.stringify({
    priority,
    title: expectData(edited).values.title,
    state: expectData(run).values.state,
    found: expectData(page).records.map(({ values }) => [values.title, values.state]),
    stored: expectData(generic).results.map(({ ok }) => ok),
    refused: refused.error?.code,
    history: [entry?.transition, formerState],
    counted: expectData(summary).rows.some(({ key }) => key === priority),
    exported: expectData(file).includes("Night shift"),
  }),
);

function expectData<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}
