import { z } from "zod";
import { methodAndPath } from "../../../shared/contract/call.ts";
import { contract, type RouteName } from "../../../shared/contract/contract.ts";
import { possibleErrors } from "../../../shared/contract/possible-errors.ts";
import { type Route, type RouteKey, statusOf } from "../../../shared/contract/route.ts";
import { errorCatalogue } from "../../../shared/protocol/errors.ts";
import { SchemaBook } from "./schema-book.ts";

/** The OpenAPI 3.1 document, made from the contract whose schemas check the requests. */

type Part = Record<string, unknown>;

const problemSchema = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.enum(Object.keys(errorCatalogue) as [string, ...string[]]),
  message: z.string(),
});

export function openApi(version: string): Part {
  const book = new SchemaBook();
  const problem = book.add("Problem", problemSchema, "output");
  const paths: Record<string, Part> = {};
  for (const name of Object.keys(contract) as RouteName[]) {
    const { method, path } = methodAndPath(name);
    const address = `/api/v1${path}`;
    paths[address] = {
      ...paths[address],
      [method.toLowerCase()]: operation(name, contract[name], book),
    };
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
        bearer: {
          type: "http",
          scheme: "bearer",
          description:
            "An API token, where the operation is open to them, or the token of a session.",
        },
      },
    },
  };
}

function operation(key: RouteKey, route: Route, book: SchemaBook): Part {
  const name = operationName(key);
  const { answer, body, download, file } = route;
  const content = (part: Part) => ({ "application/json": part });
  return {
    operationId: name,
    summary: route.summary,
    description: `${rightSentence(route)}${tokenSentence(route)} ${errorSentence(key, route)}`,
    tags: [methodAndPath(key).path.split("/")[1]],
    security: route.right === "none" ? [] : [{ cookie: [] }, { bearer: [] }],
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
      [statusOf(route)]: {
        description: "Done.",
        ...(download && { content: { [download]: { schema: { type: "string" } } } }),
        ...(answer && { content: content(book.add(`${name}Answer`, answer, "output")) }),
      },
      default: { $ref: "#/components/responses/Problem" },
    },
  };
}

/** What a caller needs, in words. */
function rightSentence({ right }: Route): string {
  if (typeof right !== "string") return `Needs one of the rights ${right.map(code).join(", ")}.`;
  if (right === "none") return "Needs no sign-in.";
  if (right === "session") return "Needs a session.";
  if (right === "display") return "Needs the credential of a display.";
  const [, grant] = right.split(".");
  return grant ? `Needs the grant ${code(grant)} on the table.` : `Needs the right ${code(right)}.`;
}

function tokenSentence({ right, tokens }: Route): string {
  if (right === "none" || right === "display") return "";
  return tokens ? " Open to API tokens." : " Not open to API tokens.";
}

function errorSentence(key: RouteKey, route: Route): string {
  return `May be refused with ${[...possibleErrors(key, route)].map(code).join(", ")}.`;
}

const code = (text: string) => `\`${text}\``;

/** The parts of a flat object schema, as OpenAPI lists parameters. */
function parameters(schema: z.ZodType | undefined, place: string, always: boolean): Part[] {
  if (!schema) return [];
  const jsonSchema = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  const required = new Set(jsonSchema.required ?? []);
  return Object.entries(jsonSchema.properties ?? {}).map(([name, part]) => ({
    name,
    in: place,
    required: always || required.has(name),
    schema: part,
  }));
}

/** `patchTablesRecords`: the method, and the names in the path. */
function operationName(key: RouteKey): string {
  const { method, path } = methodAndPath(key);
  const single = path.endsWith("}") ? "One" : "";
  const parts = path.split("/").filter((part) => !part.startsWith("{"));
  const segments = parts.flatMap((part) => part.split("-")).filter(Boolean);
  const capital = (segment: string) => segment.charAt(0).toUpperCase() + segment.slice(1);
  return method.toLowerCase() + segments.map(capital).join("") + single;
}

function errorTable(): string {
  const rows = Object.entries(errorCatalogue).map(
    ([code, { status, message }]) => `| \`${code}\` | ${status} | ${message} |`,
  );
  return ["What went wrong.", "", "| code | status | message |", "|---|---|---|", ...rows].join(
    "\n",
  );
}
