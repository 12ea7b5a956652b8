import { useEffect } from "react";

/** Calls back at an interval while the page is visible, for what no notice announces; null: not now. */
export function useRepeat(callback: () => void, everyMs: number | null): void {
  useEffect(() => {
    if (everyMs === null) return;
    const timer = setInterval(() => document.hidden || callback(), everyMs);
    return () => clearInterval(timer);
  }, [callback, everyMs]);
}
