import fc from "fast-check";

/** A request that may be anything: malformed, of the wrong shape, or nearly right. */
interface RandomRequest {
  method: string;
  path: string;
  body: string | undefined;
  headers: Record<string, string>;
}

/** Names that the server really has, so that some of the random requests get further. */
export interface Known {
  /** Method and path of each route, as OpenAPI has them. */
  routes: readonly (readonly [method: string, path: string])[];
  records: readonly string[];
  versions: readonly string[];
}

const parameterNames =
  "filter sort search limit offset fields overwrite table after before group".split(" ");
const fields = "title state impact priority assignee opened_at reassignments sla_met notes".split(
  " ",
);
const keys = (
  "email password name role attributes status id ops op table record values set base version from " +
  "title state grants rights read hide tiles kind layout boards code response __proto__ constructor"
).split(" ");

const oddText = fc.oneof(
  fc.string({ maxLength: 30 }),
  fc.string({ unit: "binary", maxLength: 10 }),
  fc.constantFrom("", "\0", "a\0b", "\ud800", "'; drop table incidents; --", "../..", "%", "null"),
  fc.constantFrom("__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"),
  fc.constantFrom("incidents", "title", "-opened_at", "1", "-1", "1e999", "9".repeat(15), "true"),
  fc.constant("x".repeat(3_000)),
);
const oddJson = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  oddText,
  fc.constantFrom(-0, 1e308, 2 ** 53, -1, 0.1, null, true, [], {}),
);
const nearObject = fc.dictionary(fc.constantFrom(...keys), oddJson, { maxKeys: 6 });
const fieldValue = fc.oneof(oddJson, fc.constantFrom("New", "1 - High", "2026-01-01T00:00:00Z", 7));
const values = fc.dictionary(fc.constantFrom(...fields), fieldValue, { maxKeys: 4 });
const nearly = (shape: Record<string, fc.Arbitrary<unknown>>) =>
  fc.oneof({ weight: 4, arbitrary: fc.record(shape) }, { weight: 1, arbitrary: nearObject });
const record = fc.oneof(fc.constantFrom("a", "b"), oddText);
const table = fc.oneof(
  { weight: 5, arbitrary: fc.constant("incidents") },
  { weight: 1, arbitrary: oddText },
);
const nearOp = fc.oneof(
  nearly({ op: fc.constant("create"), table, values }),
  nearly({ op: fc.constant("create"), table, record, values }),
  nearly({ op: fc.constant("update"), table, record, set: values, base: values }),
  nearly({ op: fc.constant("delete"), table, record, version: oddText }),
  nearly({ op: fc.constant("transition"), table, record, transition: oddText, from: oddText }),
);
const nearFilter = nearly({
  field: fc.oneof(fc.constantFrom(...fields), oddText),
  op: fc.constantFrom("eq", "in", "between", "contains", "startsWith", "lt", "isEmpty", "matches"),
  value: fc.oneof(oddJson, fieldValue, fc.array(fieldValue, { maxLength: 3 })),
});
const nearUser = nearly({
  email: fc.oneof(fc.emailAddress(), oddText),
  name: oddText,
  role: fc.oneof(fc.constantFrom("viewer", "editor"), oddText),
  attributes: nearObject,
});

const nearView = nearly({
  table,
  name: oddText,
  shared: fc.boolean(),
  filter: nearFilter,
  sort: fc.array(fc.oneof(fc.constantFrom(...fields), oddText), { maxLength: 3 }),
  columns: fc.array(nearly({ field: fc.constantFrom(...fields), width: fc.nat(500) })),
  group: fc.oneof(fc.constantFrom(...fields), oddJson),
});

/** What a route would accept, or nearly. */
function nearBody(path: string, method: string): fc.Arbitrary<unknown> {
  if (path === "/mutations")
    return nearly({ id: oddText, ops: fc.array(nearOp, { maxLength: 4 }) });
  if (path === "/users") return nearUser;
  if (path.startsWith("/views")) return nearView;
  if (path.includes("/transitions/")) return nearly({ from: oddText, set: values });
  if (path.startsWith("/tables") && method === "POST") return nearly({ values });
  if (path.startsWith("/tables")) return nearly({ set: values, base: values });
  return nearObject;
}

function bodyOf(path: string, method: string): fc.Arbitrary<string | undefined> {
  const asText = (value: unknown) => JSON.stringify(value);
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: oddText },
    { weight: 2, arbitrary: oddJson.map(asText) },
    { weight: 8, arbitrary: nearBody(path, method).map(asText) },
  );
}

const whole = fc.oneof(fc.nat(2_000).map(String), oddText);
const queryParts: Record<string, fc.Arbitrary<string>> = {
  filter: fc.oneof(
    nearFilter.map((value) => JSON.stringify(value)),
    oddText,
  ),
  sort: fc.oneof(fc.constantFrom(...fields, "-title,state"), oddText),
  fields: fc.oneof(fc.constantFrom(...fields), oddText),
  search: oddText,
  limit: whole,
  offset: whole,
  group: fc.oneof(fc.constantFrom(...fields), oddText),
  measure: fc.oneof(fc.constantFrom("count", "sum:reassignments", "max:opened_at"), oddText),
  overwrite: fc.oneof(fc.constantFrom("true", "false"), oddText),
};
const pageQuery = fc
  .subarray(Object.keys(queryParts), { maxLength: 3 })
  .chain((names) =>
    fc.record(Object.fromEntries(names.map((name) => [name, queryParts[name] ?? oddText]))),
  );
const oddQuery = fc.dictionary(fc.oneof(fc.constantFrom(...parameterNames), oddText), oddText, {
  maxKeys: 3,
});
const query = fc.oneof(fc.constant({}), pageQuery, oddQuery);

/** Node refuses to send other characters, and so does every client. */
const headerText = fc.string({ unit: "grapheme-ascii", maxLength: 40 }).map((text) => text.trim());
const headers = fc.dictionary(
  fc.constantFrom("if-match", "idempotency-key", "x-forwarded-for", "accept", "range"),
  headerText,
  { maxKeys: 2 },
);

/** Random requests to every route, the same ones for the same seed. */
export function randomRequests(count: number, seed: number, known: Known): RandomRequest[] {
  const part = fc.oneof(oddText, fc.constantFrom("a", "b", ...known.records));
  const request = fc
    .record({ route: fc.constantFrom(...known.routes), parts: fc.array(part, { minLength: 3 }) })
    .chain(({ route: [method, template], parts }) => {
      const path = template.replace(/\{(\w+)\}/g, (_all, name) => {
        const odd = parts.pop() ?? "x";
        return wellFormed(name === "table" && odd.length % 8 ? "incidents" : odd) || "x";
      });
      return fc.record({
        method: fc.constant(method),
        path: query.map((q) => `/api/v1${path}?${new URLSearchParams(Object.entries(q))}`),
        body: method === "GET" ? fc.constant(undefined) : bodyOf(template, method),
        headers: fc.oneof(headers, fc.constantFrom(...known.versions.map(ifMatch))),
      });
    });
  return fc.sample(request, { numRuns: count, seed });
}

const ifMatch = (version: string): Record<string, string> => ({ "if-match": version });
const wellFormed = (text: string) => encodeURIComponent(text.toWellFormed());
