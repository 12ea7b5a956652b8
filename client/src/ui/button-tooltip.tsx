import { Tooltip, type TooltipProps } from "@mantine/core";
import { useState } from "react";

/**
 * A button's tooltip, hidden from the moment the button is pressed until the pointer leaves it. Escape closes an open tooltip first, but a user
 * who has just pressed the button means the panel or bar around it.
 */
export function ButtonTooltip({ disabled = false, ...tooltip }: TooltipProps) {
  const [isPressed, setPressed] = useState(false);
  return (
    <Tooltip
      {...tooltip}
      disabled={disabled || isPressed}
      onPointerDown={() => setPressed(true)}
      onMouseLeave={() => setPressed(false)}
    />
  );
}
