import { describe, expect, it } from "vitest";
import type { Table } from "../../../shared/model/model.ts";
import type { Grant } from "../../../shared/policy/role.ts";
import { serviceDesk } from "../../model/templates/service-desk.ts";
import { describeApi } from "../all-handlers.ts";
import { openApi } from "./openapi.ts";
import { withTables } from "./table-paths.ts";

const model = { ...serviceDesk };
const subjectWith = (grants: Record<string, Grant>) => ({
  id: "u1",
  role: { id: "r1", name: "Role", rights: [], grants },
  attributes: {},
});
const documentFor = (grants: Record<string, Grant>, tables: Table[] = model.tables) =>
  withTables(openApi("1"), { version: 1, tables }, subjectWith(grants));
const full: Grant = { read: true, create: true, update: true, delete: true, transitions: true };
const records = "/api/v1/tables/incidents/records";

interface Shape {
  required?: string[];
  properties: Record<string, { enum?: string[]; description: string; readOnly?: boolean }>;
}
const schema = (document: ReturnType<typeof documentFor>, name: string) =>
  document.components.schemas[name] as unknown as Shape;

describe("the tables of a caller in the OpenAPI document", () => {
  it("are absent from the document for everybody", () => {
    documentFor({ "*": full });
    expect(JSON.stringify(openApi("1"))).not.toContain("ncidents/");
  });

  it("have options, links and required fields", () => {
    const document = documentFor({ "*": full });
    expect(schema(document, "IncidentsValues").properties.group?.description).toContain(
      "The id of a record in `groups`.",
    );
    expect(schema(document, "IncidentsCreate").properties.priority?.enum).toContain("2 - High");
    expect(schema(document, "GroupsCreate").required).toEqual(["name"]);
    expect(schema(document, "IncidentsUpdate").properties).not.toHaveProperty("state");
    expect(document.paths[`${records}/{id}/transitions/{name}`]?.post?.operationId).toBe(
      "transitionIncidentsRecord",
    );
  });

  it("name no hidden table and no hidden field", () => {
    const document = documentFor({
      incidents: { ...full, read: { hide: ["urgency", "group"] } },
      groups: full,
    });
    const generic = JSON.stringify(openApi("1"));
    const text = JSON.stringify(document);
    for (const hidden of ["services", "people", "monthly_cost", "criticality"]) {
      expect(text.split(hidden).length, hidden).toBe(generic.split(hidden).length);
    }
    for (const kind of ["Values", "Create", "Update"]) {
      const { properties } = schema(document, `Incidents${kind}`);
      expect(properties).toHaveProperty("title");
      expect(properties).not.toHaveProperty("urgency");
      expect(properties).not.toHaveProperty("group");
    }
  });

  it("have only the operations and transitions that the caller's role allows", () => {
    const document = documentFor({ incidents: { read: true, transitions: ["activate"] } });
    expect(Object.keys(document.paths[records] ?? {})).toEqual(["get"]);
    expect(Object.keys(document.paths[`${records}/{id}`] ?? {})).toEqual(["get"]);
    const run = document.paths[`${records}/{id}/transitions/{name}`]?.post;
    const name = run?.parameters.find((one) => one.name === "name");
    expect(name?.schema.enum).toEqual(["activate"]);
  });

  it("have history, summaries and exports, as far as the caller's role allows them", () => {
    const some = documentFor({ incidents: { read: { hide: ["group"] }, history: true } });
    const paths = (document: typeof some) =>
      Object.keys(document.paths).filter((path) => path.includes("/tables/incidents/"));
    const summary = "/api/v1/tables/incidents/summary";
    expect(paths(some)).toEqual([records, `${records}/{id}`, summary, `${records}/{id}/history`]);
    const group = some.paths[summary]?.get?.parameters.find(({ name }) => name === "group");
    expect(group?.schema.enum).toContain("priority");
    expect(group?.schema.enum).not.toContain("group");
    expect(JSON.stringify(schema(some, "IncidentsHistory"))).not.toContain('"group"');
    const all = documentFor({ incidents: { ...full, export: true } });
    expect(paths(all)).toContain("/api/v1/tables/incidents/export.csv");
    expect(paths(all)).not.toContain(`${records}/{id}/history`);
    const { operationId } = all.paths["/api/v1/tables/incidents/export.jsonl"]?.get ?? {};
    expect(operationId).toBe("exportIncidentsJsonl");
  });

  it("mark computed fields as read-only, and leave them out of what is written", () => {
    const [table] = model.tables;
    if (!table) throw new Error("The template has no table.");
    const total = { name: "total", label: "Total", type: "integer", expression: "1 + 1" } as const;
    const document = documentFor({ "*": full }, [{ ...table, fields: [...table.fields, total] }]);
    expect(schema(document, "IncidentsValues").properties.total?.readOnly).toBe(true);
    expect(schema(document, "IncidentsCreate").properties).not.toHaveProperty("total");
  });

  it("have schemas of their own, whatever they are called", () => {
    const named = (name: string): Table => ({
      name,
      label: name,
      recordLabel: name,
      display: "a",
      fields: [{ name: "a", label: "A", type: "text" }],
      columns: [],
      sort: [],
    });
    const names = ["record", "a b", "A-B", "a{b}", "表"];
    const { components, paths } = documentFor({ "*": full }, names.map(named));
    expect(components.schemas.RecordPage).toEqual(openApi("1").components.schemas.RecordPage);
    expect(Object.keys(components.schemas).filter((key) => !/^[\w.-]+$/.test(key))).toEqual([]);
    for (const name of names) {
      expect(paths).toHaveProperty([`/api/v1/tables/${encodeURIComponent(name)}/records`]);
    }
    const ids = Object.values(paths).flatMap((one) =>
      Object.values(one).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });
});

it("the document of a role is made once for each version of the model", async () => {
  let version = 1;
  const describeTo = describeApi({
    model: () => ({ version, tables: model.tables }),
    version: "1",
  });
  const documentOf = async (name: string, id = "u1") => {
    const { role } = subjectWith({ "*": full });
    const identity = { subject: { id, role: { ...role, name }, attributes: {} } };
    return (await describeTo(identity)).extras.gzipped;
  };
  const first = await documentOf("Agent");
  expect(await documentOf("Agent", "u2")).toBe(first);
  expect(await documentOf("Viewer")).not.toBe(first);
  version = 2;
  expect(await documentOf("Agent")).not.toBe(first);
});
