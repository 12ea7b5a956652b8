import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";

/** A button that adds something. */
export const AddButton = Button.withProps({
  leftSection: <IconPlus size={16} aria-hidden="true" />,
});
