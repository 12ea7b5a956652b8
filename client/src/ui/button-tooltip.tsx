import { Tooltip, type TooltipProps } from "@mantine/core";
import { useState } from "react";

/**
 * The tooltip of a button, gone once that is pressed, until the pointer comes again. Escape closes a tooltip first: who has just pressed the
 * button means the panel or the bar that it belongs to.
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
