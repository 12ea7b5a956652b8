import { z } from "zod";
import { methodAndPath } from "../../../shared/protocol/call.ts";
import { type ErrorCode, errorCatalogue } from "../../../shared/protocol/errors.ts";
import { type Route, type RouteKey, statusOf } from "../../../shared/protocol/route.ts";
import { possibleErrors } from "../possible-errors.ts";
import { errorHelp } from "./error-help.ts";
import type { Part, SchemaBook } from "./schema-book.ts";

/** One parameter of an operation, as OpenAPI lists it. */
export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description: string;
  schema: Part;
}

/** An operation of an OpenAPI document. */
export interface Operation {
  operationId: string;
  summary: string;
  description: string;
  "x-error-codes": string[];
  tags: string[];
  security: Part[];
  parameters: Parameter[];
  requestBody?: { required: true; content: Record<string, { schema: Part }> };
  responses: Record<string, { description?: string; content?: Record<string, { schema: Part }> }>;
}

/** What OpenAPI says of one route of the contract. */
export function operationOf(key: RouteKey, route: Route, book: SchemaBook): Operation {
  const name = operationName(key);
  const { answer, body, download, file } = route;
  const [summary, ...more] = route.summary.split(/(?<=[.])\s+(?=[A-Z`])/);
  const request = body && book.add(`${name}Call`, body, "input");
  const bytes = { type: "string" };
  const errors = [...possibleErrors(key, route)];
  return {
    operationId: name,
    summary: summary ?? "",
    description: [...more, ...rightSentences(route)].join(" "),
    "x-error-codes": errors,
    tags: [methodAndPath(key).path.split("/")[1] ?? ""],
    security: securityOf(route),
    parameters: [
      ...parameters(route.params, "path"),
      ...parameters(route.query, "query"),
      ...parameters(route.headers, "header"),
    ],
    ...(request && { requestBody: { required: true, ...content("application/json", request) } }),
    ...(file && { requestBody: { required: true, ...content(file, bytes) } }),
    responses: {
      [statusOf(route)]: {
        description: statusOf(route) === 204 ? "Done." : "The answer.",
        ...(download && content(download, bytes)),
        ...(answer && content("application/json", book.add(`${name}Answer`, answer, "output"))),
      },
      ...problemResponses(errors),
    },
  };
}

const content = (media: string, schema: Part) => ({ content: { [media]: { schema } } });

/** The answers with problem details, by status. */
function problemResponses(codes: readonly (keyof typeof errorCatalogue)[]) {
  const statuses = [...new Set(codes.map((code) => errorCatalogue[code].status))].sort();
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/Problem${status}` }]),
  );
}

/** A response for every status that REST answers with, and the codes that it may have. */
export function problemComponents(problem: Part): Record<string, Part> {
  const entries = Object.entries(errorCatalogue).filter(([name]) => name !== "update_required");
  return Object.fromEntries(
    [...new Set(entries.map(([, { status }]) => status))].map((status) => {
      const codes = entries.filter(([, entry]) => entry.status === status);
      const lines = codes.map(
        ([name, { message }]) => `- ${code(name)}: ${message} ${errorHelp[name as ErrorCode]}`,
      );
      const description = lines.join("\n");
      return [`Problem${status}`, { description, ...content("application/problem+json", problem) }];
    }),
  );
}

/** A display's credential and a user's are different cookies. Tokens are for the routes that are open to them. */
function securityOf({ right }: Route): Part[] {
  if (right === "none") return [];
  return right === "display" ? [{ display: [] }] : [{ cookie: [] }, { bearer: [] }];
}

/** What a caller needs, in words. */
function rightSentences({ right, tokens }: Route): string[] {
  if (typeof right !== "string")
    return [`Needs one of the rights ${right.map(code).join(", ")}.`, tokenSentence(tokens)];
  if (right === "none") return ["Needs no sign-in."];
  if (right === "display") return ["Needs the credential of a display."];
  const [, grant] = right.split(".");
  if (right === "session") return ["Needs a session.", tokenSentence(tokens)];
  const need = grant ? `the grant ${code(grant)} on the table` : `the right ${code(right)}`;
  return [`Needs ${need}.`, tokenSentence(tokens)];
}

const tokenSentence = (tokens: true | undefined) =>
  tokens ? "Open to API tokens." : "Not open to API tokens.";

const code = (text: string) => `\`${text}\``;

/** The parts of a flat object schema, as OpenAPI lists parameters. */
function parameters(schema: z.ZodType | undefined, place: Parameter["in"]): Parameter[] {
  if (!schema) return [];
  const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  const required = new Set(json.required ?? []);
  return Object.entries(json.properties ?? {}).map(([name, part]) => {
    const { description = "", ...own } = part as Part & { description?: string };
    return {
      name,
      in: place,
      required: place === "path" || required.has(name),
      description,
      schema: own,
    };
  });
}

/** `patchTablesRecords`: the method, and the names in the path. */
function operationName(key: RouteKey): string {
  const { method, path } = methodAndPath(key);
  const single = path.endsWith("}") ? "One" : "";
  const parts = path.split("/").filter((part) => !part.startsWith("{"));
  const segments = parts.flatMap((part) => part.split(/[-.]/)).filter(Boolean);
  return method.toLowerCase() + segments.map(capital).join("") + single;
}

const capital = (segment: string) => segment.charAt(0).toUpperCase() + segment.slice(1);
