import { type Conflict, merge, type Side } from "../../../../../shared/document/merge.ts";
import type { Model } from "../../../../../shared/model/model.ts";
import { modelToTree, treeToModel } from "./model-tree.ts";

/** The user's choices, by the key of each conflict. */
export type Choices = Readonly<Record<string, Side>>;

export function keyOfConflict({ path }: Pick<Conflict, "path">): string {
  return path.join("\u0000");
}

/** Applies my changes to their version. Without a choice, mine wins a conflict. */
export function mergeModels(base: Model, mine: Model, theirs: Model, choices: Choices = {}) {
  const { merged, conflicts } = merge(modelToTree(base), modelToTree(mine), modelToTree(theirs), {
    choose: (conflict) => choices[keyOfConflict(conflict)] ?? "mine",
  });
  return { model: treeToModel(merged, theirs.version), conflicts };
}
