import { atom } from "jotai/vanilla";
import type { EditRef } from "./record-view.ts";

/** An edit of mine that waits for my decision, wherever its record is shown. */
export interface EditIssue {
  kind: "conflict" | "rejected" | "draft";
  edit: EditRef;
  table: string;
  record: string;
  /** The fields that it concerns; none where it concerns the record as a whole. */
  fields: readonly string[];
  /** Why it was refused; empty where there is nothing but to go on. */
  message: string;
}

export const editIssuesAtom = atom<readonly EditIssue[]>([]);
