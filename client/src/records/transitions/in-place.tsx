import { Box } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";

interface Props {
  label: string;
  content: ReactNode;
  onClose(): void;
}

/** A part of the page that takes the focus when it opens, and returns it when it closes. Esc closes it. */
export function InPlace({ label, content, onClose }: Props) {
  const part = useRef<HTMLElement>(null);
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
      ref={part}
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
