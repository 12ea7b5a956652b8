import { Text } from "@mantine/core";

/** A small number on a coloured ground, such as how many there are beside the name of a tool. */
export const CountMark = Text.withProps({
  span: true,
  display: "inline-block",
  miw: 18,
  px: 5,
  bdrs: "lg",
  bg: "var(--wf-accent)",
  c: "var(--wf-panel)",
  ta: "center",
  fz: "var(--wf-font-11)",
  fw: 600,
  lh: "18px",
});
