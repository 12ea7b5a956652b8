import { type ReactNode, useEffect, useRef } from "react";
import classes from "./transitions.module.css";

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
    <section
      ref={part}
      className={classes.inPlace}
      aria-label={label}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.stopPropagation();
        onClose();
      }}
    >
      {content}
    </section>
  );
}
