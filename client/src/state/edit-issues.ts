import { atom } from "jotai/vanilla";
import type { EditRef } from "./record-view.ts";

/** An edit that needs its author's decision. */
export interface EditIssue {
  kind: "conflict" | "rejected" | "draft";
  edit: EditRef;
  table: string;
  record: string;
  /** The fields that it concerns; empty if it concerns the whole record. */
  fields: readonly string[];
  /** Why it was refused; empty for a draft that only lacks a value. */
  message: string;
  /** Whose value a conflict is with, if known. */
  author: string | null;
}

export const editIssuesAtom = atom<readonly EditIssue[]>([]);
