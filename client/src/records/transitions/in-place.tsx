import { Box } from "@mantine/core";
import { type ReactNode, useCallback, useEffect, useRef } from "react";
import { useGiveFocus } from "../../ui/use-give-focus.ts";

interface Props {
  label: string;
  content: ReactNode;
  onClose(): void;
}

/**
 * A part of a panel that takes the focus when it opens, and returns it when it closes: to the panel itself if the button that opened
 * it is gone. Esc closes it.
 */
export function InPlace({ label, content, onClose }: Props) {
  const part = useRef<HTMLElement>(null);
  const giveFocus = useGiveFocus();
  const attach = useCallback(
    (element: HTMLElement) => {
      part.current = element;
      return giveFocus(element);
    },
    [giveFocus],
  );
  useEffect(() => {
    const before = document.activeElement;
    part.current?.querySelector<HTMLElement>("input, textarea, button")?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <Box
      component="section"
      ref={attach}
      p={14}
      bd="1px solid var(--wf-line-strong)"
      bdrs={8}
      bg="var(--wf-raised)"
      aria-label={label}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.stopPropagation();
        onClose();
      }}
    >
      {content}
    </Box>
  );
}
