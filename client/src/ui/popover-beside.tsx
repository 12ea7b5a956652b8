import { Popover } from "@mantine/core";
import type { ReactNode } from "react";

interface Props {
  /** What the popover belongs to. */
  element: HTMLElement;
  label: string;
  position: "bottom-start" | "bottom-end";
  withArrow?: boolean;
  /** Closes it, and gives the focus back to what it belongs to. */
  onClose(): void;
  children(close: () => void): ReactNode;
}

/** A popover beside an element that something else draws: a cell of the grid, a card of the board. */
export function PopoverBeside({ element, label, position, withArrow, onClose, children }: Props) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return (
    <Popover
      opened
      onDismiss={onClose}
      onClose={onClose}
      trapFocus
      withRoles={false}
      position={position}
      withArrow={withArrow ?? false}
      shadow="md"
      radius="lg"
    >
      <Popover.Target>
        <span style={{ position: "fixed", left, top, width, height, pointerEvents: "none" }} />
      </Popover.Target>
      {/* A click beside its buttons leaves the focus in it, so that Escape closes it. */}
      <Popover.Dropdown role="dialog" aria-label={label} tabIndex={-1}>
        {children(onClose)}
      </Popover.Dropdown>
    </Popover>
  );
}
