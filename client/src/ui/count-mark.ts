import { Text } from "@mantine/core";

/** A small number on a coloured ground, such as how many there are beside the name of a tool. */
export const CountMark = Text.withProps({
  span: true,
  display: "inline-block",
  miw: 18,
  px: 5,
  bdrs: 12,
  bg: "var(--wf-accent)",
  c: "var(--wf-panel)",
  ta: "center",
  fz: "0.7rem",
  fw: 650,
  lh: "18px",
});
