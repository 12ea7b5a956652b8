import { useAtomValue } from "jotai/react";
import { type EditIssue, editIssuesAtom } from "./edit-issues.ts";
import { store } from "./store.ts";

/** My edits that wait for a decision: conflicts, refusals and drafts. */
export function useEditIssues(): readonly EditIssue[] {
  return useAtomValue(editIssuesAtom, { store });
}
