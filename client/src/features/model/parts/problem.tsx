import type { TextProps } from "@mantine/core";
import { ErrorText } from "../../../ui/texts.ts";
import type { ProblemPath } from "../draft/find-problems.ts";
import { useTableEditor } from "../draft/use-table-editor.ts";

/** The problem at a path in the open table, if there is one. */
export function Problem({ at, ...look }: TextProps & { at: ProblemPath }) {
  const text = useTableEditor().problem(...at);
  return text && <ErrorText {...look}>{text}</ErrorText>;
}
