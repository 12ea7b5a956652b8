import { ActionIcon, type ActionIconProps, type ElementProps } from "@mantine/core";
import { ButtonTooltip } from "./button-tooltip.tsx";

interface Props extends ActionIconProps, ElementProps<"button", keyof ActionIconProps> {
  /** Its accessible name, and its tooltip unless that says more. */
  label: string;
  tooltip?: string;
}

/** A button that shows only an icon, and its name as a tooltip. */
export function IconButton({ label, tooltip = label, ...button }: Props) {
  return (
    <ButtonTooltip label={tooltip}>
      <ActionIcon aria-label={label} {...button} />
    </ButtonTooltip>
  );
}
