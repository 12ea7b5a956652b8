import { Group } from "@mantine/core";

/** A note in a frame of its own that asks for attention: an icon, a text, and what can be done. */
export const Callout = Group.withProps({
  gap: 8,
  wrap: "nowrap",
  px: 12,
  py: 8,
  bdrs: "md",
  bg: "var(--wf-warn-soft)",
  fz: "sm",
});
