import { z } from "zod";
import { memoize } from "../../../shared/memoize.ts";
import { methodAndPath } from "../../../shared/protocol/call.ts";
import { contract, type RouteName } from "../../../shared/protocol/contract.ts";
import { errorCatalogue } from "../../../shared/protocol/errors.ts";
import { DISPLAY_COOKIE, SESSION_COOKIE } from "../credential.ts";
import { type Operation, operationOf, problemComponents } from "./operation.ts";
import { type Part, SchemaBook } from "./schema-book.ts";

/** The OpenAPI 3.1 document, made from the contract whose schemas check the requests. */
export interface OpenApi {
  openapi: "3.1.0";
  info: { title: string; version: string; description: string; license: Part };
  servers: { url: string; description: string }[];
  tags: { name: string; description: string; "x-displayName": string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Part>;
    responses: Record<string, Part>;
    securitySchemes: Record<string, Part>;
  };
}

/** The first segment of a route's path. */
type Group<Name> = Name extends `${string} /${infer First}/${string}`
  ? First
  : Name extends `${string} /${infer Whole}`
    ? Whole
    : never;

/** The groups of the API, their titles, and what they are about. */
const tags: Readonly<Record<Group<RouteName>, readonly [title: string, description: string]>> = {
  session: ["Session", "Sign in and out, and read what the caller may do."],
  "sign-in": ["Sign-in links", "One-time links that sign in."],
  setup: ["Set-up", "The first owner of an installation."],
  invitations: ["Invitations", "Accept an invitation by its link."],
  "password-resets": ["Password resets", "Replace a password by a link."],
  me: ["Account", "The caller's own account: password, second factors, sessions."],
  users: ["Users", "Users, their invitations and sessions."],
  roles: ["Roles", "Roles and their grants."],
  "identity-providers": ["Identity providers", "Providers of the company's accounts."],
  "sign-in-policy": ["Sign-in policy", "Who signs in how, by role."],
  "sign-in-methods": ["Sign-in methods", "The providers that the sign-in page offers."],
  "security-events": ["Security events", "Sign-ins, failures and changes of rights."],
  tokens: ["API tokens", "Tokens for programs."],
  model: ["Model", "Tables, fields, rules and workflows."],
  tables: ["Records", "Read, create, change, import and export the records of a table."],
  mutations: ["Mutations", "Many ops in one call."],
  changes: ["Changes", "The change log: who changed what, and when."],
  "change-sets": ["Change sets", "Many changes that are previewed, applied and reverted as one."],
  comments: ["Comments", "Comments on records."],
  inbox: ["Inbox", "What the caller is notified of."],
  watches: ["Watches", "Records and views of whose changes the caller is notified."],
  unsubscribe: ["Unsubscribing", "The link in a mail that ends mail of notifications."],
  webhooks: ["Webhooks", "Addresses that receive changes, and their deliveries."],
  views: ["Views", "Saved views of tables."],
  displays: ["Displays", "Screens on the wall, and their pairing."],
  display: ["Display", "The calls of a display itself."],
  wallboards: ["Wallboards", "Tiles with live values on one screen."],
  system: ["System", "The state of the installation."],
  "openapi.json": ["This document", "The description of the API."],
};

const problemSchema = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.enum(Object.keys(errorCatalogue) as [string, ...string[]]),
    message: z.string(),
    messageKey: z.string().optional().describe("Names the sentence in every language."),
    messageValues: z.record(z.string(), z.json()).optional().describe("What the sentence names."),
    retryAfter: z.number().optional().describe("Seconds to wait before the call is repeated."),
  })
  .describe("Problem details (RFC 9457). Switch on `code`, never on the texts.");

const description = `The same data as the screens, by REST, within the rights of the caller.

Create an API token in your account settings and send it as \`Authorization: Bearer wf_…\`. A signed-in caller, by session or token, gets this
document with the tables that they can read: their fields, options and transitions.`;

/** The document of a version, before the tables that the caller can read are added. */
export const openApi = memoize((version: string): OpenApi => {
  const book = new SchemaBook();
  const problem = book.add("Problem", problemSchema, "output");
  const paths: OpenApi["paths"] = {};
  for (const name of Object.keys(contract) as RouteName[]) {
    const { method, path } = methodAndPath(name);
    const address = `/api/v1${path}`;
    const operation = operationOf(name, contract[name], book);
    paths[address] = { ...paths[address], [method.toLowerCase()]: operation };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Watchfloor",
      version,
      description,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/", description: "This installation." }],
    tags: tagsOf(paths),
    paths,
    components: {
      schemas: book.schemas,
      responses: problemComponents(problem),
      securitySchemes: {
        cookie: {
          type: "apiKey",
          in: "cookie",
          name: SESSION_COOKIE,
          description:
            "The session that `POST /api/v1/session` opens. `__Host-` precedes the name on https.",
        },
        bearer: {
          type: "http",
          scheme: "bearer",
          description: "An API token (`wf_…`), or the value of the session cookie.",
        },
        display: {
          type: "apiKey",
          in: "cookie",
          name: DISPLAY_COOKIE,
          description: "The credential that a display gets by pairing.",
        },
      },
    },
  };
});

function tagsOf(paths: OpenApi["paths"]): OpenApi["tags"] {
  const used = new Set(
    Object.values(paths)
      .flatMap(Object.values<Operation>)
      .flatMap((o) => o.tags),
  );
  return [...used].map((name) => {
    const [title, about] = tags[name as keyof typeof tags];
    return { name, "x-displayName": title, description: about };
  });
}
