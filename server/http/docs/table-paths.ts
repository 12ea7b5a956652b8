import { type Model, type Table, zoneOf } from "../../../shared/model/model.ts";
import { neededFields } from "../../../shared/model/needed-fields.ts";
import { isReadOnly } from "../../../shared/model/recorded.ts";
import { governedBy } from "../../../shared/model/state-of.ts";
import { abilitiesOf, type TableAbilities } from "../../../shared/policy/abilities.ts";
import { mayRun } from "../../../shared/policy/possible-transitions.ts";
import { grantOn } from "../../../shared/policy/role.ts";
import { type Subject, scopeOf } from "../../../shared/policy/scope.ts";
import { transitionAuthorOf } from "../../../shared/policy/transition-author.ts";
import { visibleModel } from "../../policy/visible-model.ts";
import { fieldSchema, writtenFieldSchema } from "./field-schema.ts";
import type { OpenApi } from "./openapi.ts";
import type { Operation } from "./operation.ts";
import type { Part } from "./schema-book.ts";

/** A table as its caller sees it, and what they may do there. */
interface DescribedTable {
  table: Table;
  /** Begins the names of its schemas, which no other table has. */
  name: string;
  abilities: TableAbilities;
  createsInAnyState: boolean;
  /** The names of the transitions that the caller may run. */
  transitions: string[];
}

/** The document for one caller: with paths and schemas of each table that they can read, and of nothing else. */
export function withTables(document: OpenApi, model: Model, subject: Subject): OpenApi {
  const { paths, tags, components } = structuredClone(document);
  const generic = document.paths;
  for (const described of describeTables(model, subject, components.schemas)) {
    const { table } = described;
    const tag = `tables/${table.name}`;
    tags.push({
      name: tag,
      "x-displayName": table.label,
      description: table.help ?? `Records of ${table.label}.`,
    });
    Object.assign(components.schemas, schemasOf(described));
    for (const [path, methods] of Object.entries(pathsOf(described, generic))) {
      const entries = Object.entries(methods);
      if (entries.length === 0) continue;
      const own = path.replace("{table}", encodeURIComponent(table.name));
      paths[own] = Object.fromEntries(
        entries.map(([method, operation]) => [method, withoutTable(operation, tag)]),
      );
    }
  }
  return { ...document, paths, tags, components };
}

function describeTables(model: Model, subject: Subject, taken: Part): DescribedTable[] {
  const abilities = abilitiesOf(subject, model).tables;
  const names = new Set<string>();
  return visibleModel(model, subject).tables.flatMap((table) => {
    const whole = model.tables.find((one) => one.name === table.name);
    const own = abilities[table.name];
    const scope = whole && scopeOf(subject, whole);
    if (!whole || !own || !scope) return [];
    const author = transitionAuthorOf(subject, whole, scope, zoneOf(model));
    const run = (table.workflow?.transitions ?? []).filter((one) => mayRun(one, author));
    const name = componentName(
      table.name,
      (one) => names.has(one) || kinds.some((kind) => one + kind in taken),
    );
    names.add(name);
    const createsInAnyState = grantOn(subject.role, whole).createInAnyState ?? false;
    const transitions = run.map((one) => one.name);
    return [{ table, name, abilities: own, createsInAnyState, transitions }];
  });
}

const kinds = ["Record", "Values", "Page", "Create", "Update", "History"] as const;

/** `order_lines` as `OrderLines`; a name that is taken gets a number. */
function componentName(name: string, isTaken: (name: string) => boolean): string {
  const words = name.match(/[A-Za-z0-9]+/g) ?? ["Table"];
  const base = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? base : `${base}_${number}`;
    if (!isTaken(candidate)) return candidate;
  }
}

const object = (properties: Part, required: readonly string[] = []) => ({
  type: "object",
  properties,
  ...(required.length > 0 && { required }),
});
const integer = { type: "integer" };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

function schemasOf({ table, name, abilities, createsInAnyState }: DescribedTable): Part {
  const read = Object.fromEntries(table.fields.map((one) => [one.name, fieldSchema(one)]));
  const written = (isIncluded: (name: string) => boolean) =>
    Object.fromEntries(
      table.fields
        .filter((one) => isIncluded(one.name) && !isReadOnly(one))
        .map((one) => [one.name, writtenFieldSchema(one)]),
    );
  const state = governedBy(table);
  const initial = state?.workflow.states.filter((one) => one.initial) ?? [];
  const created = written(() => true);
  if (state && !createsInAnyState && created[state.stateField]) {
    created[state.stateField] = { type: "string", enum: initial.map(({ value }) => value) };
  }
  const immutable = new Set(table.fields.filter((one) => one.immutable).map((one) => one.name));
  const isUpdated = (field: string) =>
    abilities.update.includes(field) && field !== state?.stateField && !immutable.has(field);
  const whole = { allOf: [ref(`${name}Values`)], required: Object.keys(read) };
  const record = (values: Part) =>
    object({ id: { type: "string" }, version: { type: "string" }, values }, [
      "id",
      "version",
      "values",
    ]);
  const changed = Object.entries(read).map(([field, schema]) => [
    field,
    object({ before: schema, after: schema }, ["before", "after"]),
  ]);
  const entry = {
    allOf: [ref("HistoryEntry"), object({ fields: object(Object.fromEntries(changed)) })],
  };
  const needed = neededFields(table, {}).map((field) => field.name);
  return {
    [`${name}Values`]: object(read),
    [`${name}Record`]: record(whole),
    [`${name}Page`]: {
      allOf: [
        ref("RecordPage"),
        object({ records: { type: "array", items: record(ref(`${name}Values`)) } }, ["records"]),
      ],
    },
    [`${name}History`]: object({ items: { type: "array", items: entry }, total: integer }, [
      "items",
      "total",
    ]),
    [`${name}Create`]: { ...object(created, needed), additionalProperties: false },
    [`${name}Update`]: { ...object(written(isUpdated)), additionalProperties: false },
  };
}

const tablePath = "/api/v1/tables/{table}";
const records = `${tablePath}/records`;
const one = `${records}/{id}`;

/** Its operations, under the generic paths. */
function pathsOf(described: DescribedTable, generic: OpenApi["paths"]) {
  const base = (path: string, method: string) => generic[path]?.[method] as Operation;
  return { ...recordPaths(described, base), ...readPaths(described, base) };
}

type Base = (path: string, method: string) => Operation;

/** Reading more than records: their values by group, their history, and all of them as a file. */
function readPaths({ table, name, abilities }: DescribedTable, base: Base) {
  const { label, recordLabel } = table;
  const fields = table.fields.map((field) => field.name);
  const download = (format: "csv" | "jsonl") => ({
    get: typed(base(`${tablePath}/export.${format}`, "get"), {
      operationId: `export${name}${format === "csv" ? "Csv" : "Jsonl"}`,
      summary: `Export ${label}.`,
    }),
  });
  return {
    [`${tablePath}/summary`]: {
      get: typed(withNames(base(`${tablePath}/summary`, "get"), "group", fields), {
        operationId: `summarize${name}`,
        summary: `Count or compute over ${label}.`,
      }),
    },
    ...(abilities.export && {
      [`${tablePath}/export.csv`]: download("csv"),
      [`${tablePath}/export.jsonl`]: download("jsonl"),
    }),
    ...(abilities.history && {
      [`${one}/history`]: {
        get: typed(base(`${one}/history`, "get"), {
          operationId: `read${name}History`,
          summary: `History: ${recordLabel}.`,
          answer: ref(`${name}History`),
        }),
      },
    }),
  };
}

function recordPaths(described: DescribedTable, base: Base) {
  const { table, name, abilities, transitions } = described;
  const run = `${one}/transitions/{name}`;
  const values = ref(`${name}Update`);
  const states = governedBy(table)?.workflow.states.map(({ value }) => value);
  const transitionBody = object(
    {
      from: { type: "string", ...(states && { enum: states }), description: "The state you saw." },
      set: values,
      base: values,
      reason: { type: "string", maxLength: 2_000 },
    },
    ["from"],
  );
  const singular = table.recordLabel;
  return {
    [records]: {
      get: typed(base(records, "get"), {
        operationId: `list${name}Records`,
        summary: `List ${table.label}.`,
        answer: ref(`${name}Page`),
      }),
      ...(abilities.create && {
        post: typed(base(records, "post"), {
          operationId: `create${name}Record`,
          summary: `Create: ${singular}.`,
          body: object({ values: ref(`${name}Create`), record: { type: "string" } }, ["values"]),
          answer: ref(`${name}Record`),
        }),
      }),
    },
    [one]: {
      get: typed(base(one, "get"), {
        operationId: `read${name}Record`,
        summary: `Read: ${singular}.`,
        answer: ref(`${name}Record`),
      }),
      ...(abilities.update.length > 0 && {
        patch: typed(base(one, "patch"), {
          operationId: `update${name}Record`,
          summary: `Edit fields: ${singular}.`,
          body: object({ set: values, base: values }, ["set"]),
          answer: ref(`${name}Record`),
        }),
      }),
      ...(abilities.delete && {
        delete: typed(base(one, "delete"), {
          operationId: `delete${name}Record`,
          summary: `Delete: ${singular}.`,
        }),
      }),
    },
    [run]: {
      ...(transitions.length > 0 && {
        post: typed(withNames(base(run, "post"), "name", transitions), {
          operationId: `transition${name}Record`,
          summary: `Run a transition: ${singular}.`,
          body: transitionBody,
          answer: ref(`${name}Record`),
        }),
      }),
    },
  };
}

interface Typed {
  operationId: string;
  summary: string;
  body?: Part;
  answer?: Part;
}

/** A generic operation with the names and bodies of one table. */
function typed(operation: Operation, { body, answer, ...named }: Typed): Operation {
  const content = (schema: Part) => ({ content: { "application/json": { schema } } });
  const responses = Object.entries(operation.responses).map(([status, response]) => [
    status,
    answer && status.startsWith("2") ? { ...response, ...content(answer) } : response,
  ]);
  return {
    ...operation,
    ...named,
    ...(body && { requestBody: { required: true as const, ...content(body) } }),
    responses: Object.fromEntries(responses),
  };
}

/** The names that a parameter accepts. */
function withNames(operation: Operation, parameter: string, names: readonly string[]): Operation {
  const parameters = operation.parameters.map((one) =>
    one.name === parameter ? { ...one, schema: { type: "string", enum: names } } : one,
  );
  return { ...operation, parameters };
}

function withoutTable(operation: Operation, tag: string): Operation {
  const parameters = operation.parameters.filter(({ name }) => name !== "table");
  return { ...operation, tags: [tag], parameters };
}
