import { Popover } from "@mantine/core";
import type { ReactNode } from "react";

interface Props {
  /** What the popover belongs to. */
  element: HTMLElement;
  label: string;
  position: "bottom-start" | "bottom-end" | "top-start";
  withArrow?: boolean;
  /** False leaves the focus where it is, because the user may be typing there. */
  hasFocus?: boolean;
  /** The user has gone into it. */
  onFocus?(): void;
  /** Closes it, and gives the focus back to what it belongs to. */
  onClose(): void;
  children(close: () => void): ReactNode;
}

/** A popover beside an element that something else draws: a cell of the grid, a card of the board. */
export function PopoverBeside({ hasFocus = true, onFocus, children, ...props }: Props) {
  const { element, label, position, withArrow, onClose } = props;
  const { left, top, width, height } = element.getBoundingClientRect();
  return (
    <Popover
      opened
      onDismiss={onClose}
      onClose={onClose}
      trapFocus={hasFocus}
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
      <Popover.Dropdown role="dialog" aria-label={label} tabIndex={-1} onFocusCapture={onFocus}>
        {children(onClose)}
      </Popover.Dropdown>
    </Popover>
  );
}
