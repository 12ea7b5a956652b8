import { Popover } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { useLatest } from "./use-latest.ts";

interface Props {
  /** What the popover belongs to, at this moment: a grid draws a row that moves with other elements. */
  element(): HTMLElement | undefined;
  label: string;
  position: "bottom-start" | "bottom-end" | "top-start";
  withArrow?: boolean;
  /** False leaves the focus where it is, because the user may be typing there. */
  hasFocus?: boolean;
  /** False where a click elsewhere leaves it open: it has come while the user was working there. */
  isDismissed?: boolean;
  /** The user has gone into it. */
  onFocus?(): void;
  /** Closes it, and gives the focus back to what it belongs to. */
  onClose(): void;
  children(close: () => void): ReactNode;
}

/** A popover beside an element that something else draws: a cell of the grid, a card of the board. */
export function PopoverBeside(all: Props) {
  const { hasFocus = true, isDismissed = true, onFocus, children, ...props } = all;
  const { element, label, position, withArrow, onClose } = props;
  const { left, top, width, height } = useBoxOf(element);
  return (
    <Popover
      opened
      // It may have the focus, which it would lose where its element is scrolled out of view.
      hideDetached={false}
      onDismiss={onClose}
      onClose={onClose}
      closeOnClickOutside={isDismissed}
      trapFocus={hasFocus}
      withRoles={false}
      position={position}
      withArrow={withArrow ?? false}
      // What lies above a cell does not cover the one below it, where its author goes on.
      middlewares={{
        flip: position !== "top-start" || {
          fallbackPlacements: ["right-start", "left-start", "bottom-start"],
        },
        shift: true,
      }}
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

/** Where an element is, also while it scrolls and moves; where it was last, while it is not drawn. */
function useBoxOf(element: Props["element"]): DOMRect {
  const [box, setBox] = useState(() => (element() ?? document.body).getBoundingClientRect());
  const latest = useLatest(element);
  useEffect(() => {
    let frame = 0;
    const follow = () => {
      const shown = latest.current();
      const now = shown?.isConnected ? shown.getBoundingClientRect() : null;
      if (now) setBox((last) => (isSame(last, now) ? last : now));
      frame = requestAnimationFrame(follow);
    };
    follow();
    return () => cancelAnimationFrame(frame);
  }, []);
  return box;
}

function isSame(a: DOMRect, b: DOMRect): boolean {
  return a.left === b.left && a.top === b.top && a.width === b.width && a.height === b.height;
}
