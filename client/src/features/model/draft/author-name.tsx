import { modelMessages as messages } from "../../../messages/en/model.ts";
import { useLabelUpdates } from "../../../records/fields/use-label-updates.ts";
import { userField } from "../../../records/fields/user-field.ts";
import { pageLabels } from "../../../sync/page/page-labels.ts";

/** The name of a version's author. */
export function AuthorName({ by }: { by: string }) {
  useLabelUpdates();
  return <>{authorName(by)}</>;
}

/** The name of a version's author; "…" until it is loaded. */
export function authorName(by: string): string {
  const [kind, id = ""] = by.split(":");
  if (kind === "user") return pageLabels().labelOf(userField, id) ?? "…";
  return kind === "token" ? messages.token() : messages.setup();
}
