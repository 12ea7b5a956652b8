import type { ModelProblem } from "../../../shared/model/model-problem.ts";
import type { ModelPlan } from "../../../shared/protocol/model.ts";

/** A plan as text for a terminal. */
export function formatPlan({ version, steps }: ModelPlan, withSql: boolean): string {
  if (steps.length === 0) return `Nothing would change: this is the published version ${version}.`;
  const lines = steps.flatMap(({ sentence, loses, blocked, sql }) => [
    `- ${sentence}`,
    ...(loses ? [`  LOSES: ${loses.sentence}`] : []),
    ...(blocked ? [`  CAN'T BE: ${blocked.sentence}`] : []),
    ...(withSql ? sql.map((statement) => `    ${statement}`) : []),
  ]);
  return [`From version ${version}:`, ...lines].join("\n");
}

/** Why the server refused a model; null for another failure. */
export function formatRefusal(body: Readonly<Record<string, unknown>>): string | null {
  if (body.code === "model_conflict") {
    return (
      `The model has changed: version ${body.version} was published by ${body.by}. Look at it with ` +
      "export, or apply your file all the same with --onto=current."
    );
  }
  if (body.code === "validation_failed" && Array.isArray(body.problems)) {
    const problems = body.problems as ModelProblem[];
    const lines = problems.map(({ path, message }) => `- ${path.join(".")}: ${message}`);
    return ["This model can't be:", ...lines].join("\n");
  }
  if (body.code === "invalid_request" || body.code === "forbidden") return String(body.message);
  return null;
}
