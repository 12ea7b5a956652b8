import { Popover } from "@mantine/core";
import type { ReactNode } from "react";

interface Props {
  /** What the popover belongs to; it is focused again when the popover closes. */
  element: HTMLElement;
  label: string;
  position: "bottom-start" | "bottom-end";
  withArrow?: boolean;
  onClose(): void;
  children(close: () => void): ReactNode;
}

/** A popover beside an element that something else draws: a cell of the grid, a card of the board. */
export function PopoverBeside({ element, label, position, withArrow, onClose, children }: Props) {
  const { left, top, width, height } = element.getBoundingClientRect();
  const close = () => {
    onClose();
    element.focus();
  };
  return (
    <Popover
      opened
      onDismiss={close}
      onClose={close}
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
      <Popover.Dropdown role="dialog" aria-label={label}>
        {children(close)}
      </Popover.Dropdown>
    </Popover>
  );
}
