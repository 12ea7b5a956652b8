import type { Field } from "../../../../../shared/model/model.ts";
import { pageLabels } from "../../../sync/page/page-labels.ts";
import { useLabelUpdates } from "../../../ui/fields/use-label-updates.ts";

const userField: Field = { name: "by", label: "By", type: "person" };

/** Who put a version in force, by name. */
export function AuthorName({ by }: { by: string }) {
  useLabelUpdates(pageLabels());
  return <>{authorName(by)}</>;
}

/** The author's name as far as it is known by now. */
export function authorName(by: string): string {
  const [kind, id = ""] = by.split(":");
  if (kind === "user") return pageLabels().labelOf(userField, id) ?? "…";
  return kind === "token" ? "A token" : "Set-up";
}
