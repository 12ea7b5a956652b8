import { checkModel } from "../../../../../shared/model/check-model.ts";
import type { Model } from "../../../../../shared/model/model.ts";
import { modelSchema } from "../../../../../shared/model/model-schema.ts";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { explanationText } from "../../../messages/error-text.ts";
import { withoutNewIds } from "../document/edit-model.ts";

/** A problem of the draft: where, and the text to show. */
export interface DraftProblem {
  path: (string | number)[];
  message: string;
}

export type ProblemPath = readonly (string | number)[];

/** Finds all problems for which the server would reject a draft, by path. */
export function findProblems(model: Model): DraftProblem[] {
  const result = modelSchema.safeParse(withoutNewIds(model));
  const schemaProblems = result.success ? [] : result.error.issues.map(schemaProblem);
  const places = new Set(schemaProblems.map(({ path }) => path.join(".")));
  const modelProblems = checkModel(model)
    .filter(({ path }) => !places.has(path.join(".")))
    .map((problem) => ({ path: problem.path, message: explanationText(problem) }));
  return [...schemaProblems, ...modelProblems, ...emptyRules(model)];
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
