import { limitVariable, variablesSchema } from "../../../server/config/config.ts";
import { limitTexts, settingTexts } from "../../../server/config/setting-texts.ts";
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
      keysOf(variablesSchema.shape).map((name) => {
        const { meaning, unset } = settingTexts[name];
        const fallback = variablesSchema.shape[name].safeParse(undefined).data;
        return [code(name), meaning, unset ?? String(fallback ?? "none")];
      }),
    ),
  limits: () =>
    table(
      ["variable", "meaning", "default"],
      keysOf(limitTexts).map((name) => [
        code(limitVariable(name)),
        limitTexts[name],
        String(defaultLimits[name]),
      ]),
    ),
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
