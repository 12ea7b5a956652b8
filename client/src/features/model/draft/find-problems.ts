import { modelTexts } from "../../../../../shared/error-texts/model-texts.ts";
import { checkModel } from "../../../../../shared/model/check-model.ts";
import type { Model, Table } from "../../../../../shared/model/model.ts";
import { tableSchema } from "../../../../../shared/model/model-schema.ts";
import { addExplanations } from "../../../messages/en/explanations.ts";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { explanationText } from "../../../messages/error-text.ts";
import { tableWithoutNewIds } from "../document/edit-model.ts";

addExplanations(modelTexts);

/** A problem of the draft: where, and the text to show. */
export interface DraftProblem {
  path: (string | number)[];
  message: string;
}

export type ProblemPath = readonly (string | number)[];

/**
 * Finds all problems for which the server would reject a draft, by path. What was published is valid: of it only rules
 * without conditions are found, and its tables are not checked for their form.
 */
export function findProblems(model: Model, published?: Model): DraftProblem[] {
  if (model === published) return emptyRules(model);
  const valid = new Set(published?.tables);
  const schemaProblems = model.tables.flatMap((table, index) =>
    valid.has(table)
      ? []
      : formProblems(table).map(({ path, message }) => {
          return { path: ["tables", index, ...path], message };
        }),
  );
  const places = new Set(schemaProblems.map(({ path }) => path.join(".")));
  const modelProblems = checkModel(model)
    .filter(({ path }) => !places.has(path.join(".")))
    .map((problem) => ({ path: problem.path, message: explanationText(problem) }));
  return [...schemaProblems, ...modelProblems, ...emptyRules(model)];
}

/** An edit leaves all other tables as they are, so each is checked once. */
const checkedForms = new WeakMap<Table, DraftProblem[]>();

/** What is wrong with the form of one table, by path in it. */
function formProblems(table: Table): DraftProblem[] {
  const known = checkedForms.get(table);
  if (known) return known;
  const result = tableSchema.safeParse(tableWithoutNewIds(table));
  const problems = result.success ? [] : result.error.issues.map(schemaProblem);
  checkedForms.set(table, problems);
  return problems;
}

/** The server accepts rules without conditions, but they have no effect: the user has not finished them. */
function emptyRules({ tables }: Model): DraftProblem[] {
  return tables.flatMap(({ rules = [] }, table) =>
    rules.flatMap(({ filter }, rule) => {
      const isEmpty = "and" in filter && filter.and.length === 0;
      const path = ["tables", table, "rules", rule, "filter"];
      return isEmpty ? [{ path, message: messages.emptyRule() }] : [];
    }),
  );
}

interface Issue {
  path: PropertyKey[];
  code?: string | undefined;
  origin?: unknown;
}

/** The schema's own messages are for programs. */
function schemaProblem({ path, code, origin }: Issue): DraftProblem {
  const place = path.map((key) => (typeof key === "symbol" ? String(key) : key));
  const isTooSmall = code === "too_small";
  if (isTooSmall && origin === "array") return { path: place, message: messages.chooseOne() };
  if (isTooSmall && origin === "string") return { path: place, message: messages.notEmpty() };
  if (code === "too_big") return { path: place, message: messages.tooMuch() };
  return { path: place, message: messages.notValid() };
}

/** The message of the problem at exactly this path, if any. */
export function problemAt(problems: readonly DraftProblem[], at: ProblemPath): string | undefined {
  const place = at.join("\n");
  return problems.find(({ path }) => path.join("\n") === place)?.message;
}

/** All problems at a path and below it. */
export function problemsBelow(
  problems: readonly DraftProblem[],
  at: ProblemPath,
): readonly DraftProblem[] {
  return problems.filter(({ path }) => at.every((key, index) => path[index] === key));
}
