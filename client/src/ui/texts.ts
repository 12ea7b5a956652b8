import { Text } from "@mantine/core";

/** Secondary text: what something is for, or why there is nothing. */
export const Hint = Text.withProps({ c: "dimmed", fz: "sm" });

/** A part of a line that steps back behind the rest. */
export const Dim = Text.withProps({ c: "dimmed", span: true, inherit: true });

/** What is wrong with a part of a form. */
export const ErrorText = Text.withProps({ c: "var(--wf-bad)", fz: "sm" });
