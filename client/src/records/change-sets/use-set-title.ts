import type { ChangeSetInfo } from "../../../../shared/protocol/change-sets.ts";
import { changeSetMessages as messages } from "../../messages/en/change-sets.ts";
import { useTable } from "../../state/use-account.ts";
import { originLabel } from "./labels.ts";

type Named = Pick<ChangeSetInfo, "title" | "origin" | "table" | "reverts" | "revertedTitle">;

/** The title that somebody gave a set; otherwise what it does, in the language of the reader. */
export function useSetTitle(set: Named | null): string {
  const table = useTable(set?.table ?? "")?.label;
  if (!set) return messages.title();
  return set.title ?? titleOf(set, table);
}

function titleOf({ origin, reverts, revertedTitle }: Named, table: string | undefined): string {
  if (reverts && revertedTitle) return messages.revertTitleOf({ title: revertedTitle });
  if (origin === "revert") return messages.revertTitle();
  if (origin === "import" && table) return messages.importTitle({ table });
  return origin === "bulk" || origin === "import" ? originLabel(origin) : messages.untitled();
}
