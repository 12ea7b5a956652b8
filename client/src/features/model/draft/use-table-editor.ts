import { createContext, useContext } from "react";
import {
  type Field,
  idOfField,
  idOfTable,
  type Model,
  type Table,
} from "../../../../../shared/model/model.ts";
import { patched } from "../../../../../shared/model/pick-values.ts";
import { changeField, changeTable } from "../document/edit-model.ts";
import { type ProblemPath, problemAt, problemsBelow } from "./find-problems.ts";
import { useDraft } from "./use-draft.tsx";

/** The open table of the builder, its problems, and functions that change it. */
interface TableEditorState {
  id: string;
  table: Table;
  model: Model;
  /** Changes the table, and returns what takes that back. Quick successive edits with one tag are undone together. */
  change(change: (table: Table) => Table, tag?: string): () => void;
  patch(patch: { [K in keyof Table]?: Table[K] | undefined }, tag?: string): void;
  patchField(
    field: Field,
    patch: { [K in keyof Field]?: Field[K] | undefined },
    tag?: string,
  ): void;
  /** The message of the problem at a path in the table. */
  problem(...at: ProblemPath): string | undefined;
  countProblems(...at: ProblemPath): number;
}

export const OpenTable = createContext<string>("");

export function useTableEditor(): TableEditorState {
  const id = useContext(OpenTable);
  const { draft, problems, edit } = useDraft();
  const index = draft.tables.findIndex((one) => idOfTable(one) === id);
  const table = draft.tables[index];
  if (!table) throw new Error("useTableEditor is for parts of an open table.");
  const change: TableEditorState["change"] = (update, tag) =>
    edit((model) => changeTable(model, id, update), tag && `${id} ${tag}`);
  return {
    id,
    table,
    model: draft,
    change,
    patch: (patch, tag) => change((one) => patched(one, patch), tag),
    patchField: (field, patch, tag) =>
      change(
        (one) => changeField(one, idOfField(field), (was) => patched(was, patch)),
        tag && `${idOfField(field)} ${tag}`,
      ),
    problem: (...at) => problemAt(problems, ["tables", index, ...at]),
    countProblems: (...at) => problemsBelow(problems, ["tables", index, ...at]).length,
  };
}
