import { useEffect, useReducer } from "react";
import { formatAgo, formatMoment } from "./numbers.ts";

const REFRESH_MS = 30_000;

interface Props {
  at: string;
  /** Words it. By default how long ago it was. */
  text?: (ago: string) => string;
  className?: string | undefined;
}

/** How long ago a moment was, also while the screen stays open. Its title is the moment itself. */
export function Ago({ at, text = (ago) => ago, className }: Props) {
  const [, render] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const timer = setInterval(render, REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <time className={className} dateTime={at} title={formatMoment(at)}>
      {text(formatAgo(at))}
    </time>
  );
}
