import { z } from "zod";
import { errorCatalogue } from "../../../shared/protocol/errors.ts";
import type { Route } from "../route.ts";
import { SchemaBook } from "./schema-book.ts";

/**
 * The OpenAPI 3.1 document, made from the table of routes and the schemas that check the requests:
 * what it says is what is enforced.
 */

type Part = Record<string, unknown>;

const problemSchema = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.enum(Object.keys(errorCatalogue) as [string, ...string[]]),
  message: z.string(),
});

export function openApi(routes: readonly Route[], version: string): Part {
  const book = new SchemaBook();
  const problem = book.add("Problem", problemSchema, "output");
  const paths: Record<string, Part> = {};
  for (const route of routes) {
    const path = `/api/v1${route.path}`;
    paths[path] = { ...paths[path], [route.method]: operation(route, book) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Watchfloor", version, summary: "The same data as the screens, by REST." },
    paths,
    components: {
      schemas: book.schemas,
      responses: {
        Problem: { description: errorTable(), content: { "application/problem+json": problem } },
      },
      securitySchemes: {
        cookie: { type: "apiKey", in: "cookie", name: "watchfloor_session" },
        bearer: { type: "http", scheme: "bearer" },
      },
    },
  };
}

function operation(route: Route, book: SchemaBook): Part {
  const name = operationName(route);
  const { answer, body, file, status = 200 } = route;
  const content = (part: Part) => ({ "application/json": part });
  return {
    operationId: name,
    summary: route.summary,
    tags: [route.path.split("/")[1]],
    security: route.access === "public" ? [] : [{ cookie: [] }, { bearer: [] }],
    parameters: [
      ...parameters(route.params, "path", true),
      ...parameters(route.query, "query", false),
      ...parameters(route.headers, "header", false),
    ],
    ...(body && {
      requestBody: { required: true, content: content(book.add(`${name}Call`, body, "input")) },
    }),
    ...(file && {
      requestBody: { required: true, content: { [file]: { schema: { type: "string" } } } },
    }),
    responses: {
      [status]: {
        description: "Done.",
        ...(answer && { content: content(book.add(`${name}Answer`, answer, "output")) }),
      },
      default: { $ref: "#/components/responses/Problem" },
    },
  };
}

/** The parts of a flat object schema, as OpenAPI lists parameters. */
function parameters(schema: z.ZodType | undefined, place: string, always: boolean): Part[] {
  if (!schema) return [];
  const whole = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  const required = new Set(whole.required ?? []);
  return Object.entries(whole.properties ?? {}).map(([name, part]) => ({
    name,
    in: place,
    required: always || required.has(name),
    schema: part,
  }));
}

/** `patchTablesRecords`: the method, and the names in the path. */
function operationName({ method, path }: Route): string {
  const single = path.endsWith("}") ? "One" : "";
  const parts = path.split("/").filter((part) => !part.startsWith("{"));
  const words = parts.flatMap((part) => part.split("-")).filter(Boolean);
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
  return method + words.map(capital).join("") + single;
}

function errorTable(): string {
  const rows = Object.entries(errorCatalogue).map(
    ([code, { status, message }]) => `| \`${code}\` | ${status} | ${message} |`,
  );
  return ["What went wrong.", "", "| code | status | message |", "|---|---|---|", ...rows].join(
    "\n",
  );
}
