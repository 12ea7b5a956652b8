import { Button } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";

/** A button that removes something from a draft. */
export const RemoveButton = Button.withProps({
  variant: "default",
  c: "var(--wf-bad)",
  leftSection: <IconTrash size={16} aria-hidden="true" />,
});
