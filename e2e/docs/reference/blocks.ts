import { type Setting, settings } from "../../../server/config/settings.ts";
import { errorHelp } from "../../../server/http/docs/error-help.ts";
import { openApi } from "../../../server/http/docs/openapi.ts";
import type { Operation } from "../../../server/http/docs/operation.ts";
import type { ValueKind } from "../../../shared/filter/filter.ts";
import { opsByKind } from "../../../shared/filter/value-kinds.ts";
import { defaultLimits } from "../../../shared/limits.ts";
import { type FieldType, kindOfType } from "../../../shared/model/field-types.ts";
import { type ErrorCode, errorCatalogue } from "../../../shared/protocol/errors.ts";
import { socketReference } from "./socket-reference.ts";

/** The parts of the guides that are generated from code, by the names that their markers have. */
export const blocks: Readonly<Record<string, () => string>> = {
  settings: () =>
    table(
      ["variable", "meaning", "default"],
      Object.entries<Setting>(settings).map(([name, { value, meaning, unset }]) => [
        code(name),
        meaning,
        unset ?? String(value.safeParse(undefined).data ?? "none"),
      ]),
    ),
  limits: () => table(["what", "limit"], limitsOfPrograms()),
  errors: () =>
    table(
      ["code", "status", "message", "what a program does"],
      keysOf(errorCatalogue).map((name: ErrorCode) => {
        const { status, message } = errorCatalogue[name];
        return [code(name), String(status), message, errorHelp[name]];
      }),
    ),
  "filter operators": () =>
    table(
      ["fields", "operators"],
      keysOf(opsByKind).map((kind) => [
        typesOf(kind).map(code).join(", "),
        opsByKind[kind].map(code).join(" "),
      ]),
    ),
  rest: restReference,
  socket: socketReference,
};

function keysOf<T extends object>(of: T): (keyof T & string)[] {
  return Object.keys(of) as (keyof T & string)[];
}

/** Limits that users and programs meet. */
function limitsOfPrograms(): string[][] {
  const limit = (name: keyof typeof defaultLimits) => defaultLimits[name].toLocaleString("en-US");
  const bytes = (name: keyof typeof defaultLimits) => {
    const kib = defaultLimits[name] / 1_024;
    return kib < 1_024 ? `${kib} KiB` : `${kib / 1_024} MiB`;
  };
  return [
    [
      "records of a page",
      `${limit("PAGE_DEFAULT_RECORDS")} by default, at most ${limit("PAGE_MAX_RECORDS")} and ${bytes("PAGE_MAX_BYTES")} of values`,
    ],
    ["ops of a mutation", limit("MUTATION_MAX_OPS")],
    [
      "ops of a change set",
      `${limit("CHANGE_SET_MAX_OPS")}; up to ${limit("CHANGE_SET_ATOMIC_MAX_OPS")} are applied whole or not at all`,
    ],
    [
      "body of a request",
      `${bytes("REQUEST_BODY_MAX_BYTES")}; without a session ${bytes("PUBLIC_BODY_MAX_BYTES")}`,
    ],
    [
      "columns of a file to import",
      `${limit("IMPORT_MAX_COLUMNS")}; a row up to ${bytes("IMPORT_ROW_MAX_BYTES")}`,
    ],
    ["tables of a model", limit("MODEL_MAX_TABLES")],
    ["fields of a table", limit("TABLE_MAX_FIELDS")],
    ["shared views of a table", limit("TABLE_MAX_SHARED_VIEWS")],
    ["own views of a user", limit("PERSON_MAX_VIEWS")],
    ["webhooks", limit("WEBHOOKS_MAX")],
    ["API tokens of a user", limit("TOKENS_PER_USER")],
    [
      "failed sign-ins in 15 minutes",
      `${limit("SIGN_IN_FAILURES_PER_ACCOUNT")} per account, ${limit("SIGN_IN_FAILURES_PER_ADDRESS")} per address; then unknown devices wait`,
    ],
  ];
}

function typesOf(kind: ValueKind): FieldType[] {
  return keysOf(kindOfType).filter((type) => kindOfType[type] === kind);
}

/** Every route by its group, with the right that it needs. */
function restReference(): string {
  const { tags, paths } = openApi("");
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const sections = tags.map(({ name, description, "x-displayName": title }) => {
    const rows = operations
      .filter(({ operation }) => operation.tags.includes(name))
      .map(({ path, method, operation }) => [
        code(`${method.toUpperCase()} ${path.replace("/api/v1", "")}`),
        operation.summary,
        ...needs(operation),
      ]);
    return `### ${title}\n\n${description}\n\n${table(["call", "what it does", "needs", "tokens"], rows)}`;
  });
  return sections.join("\n");
}

/** The right in an operation's description, and whether API tokens may make the call. */
function needs({ description }: Operation): [string, string] {
  const [, need = ""] = /Needs (.*?)\.(?: |$)/.exec(description) ?? [];
  return [need, description.includes("Open to API tokens") ? "✓" : ""];
}

const code = (text: string) => `\`${text}\``;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |\n`;
  return `${line(head)}|${"---|".repeat(head.length)}\n${rows.map(line).join("")}`;
}
