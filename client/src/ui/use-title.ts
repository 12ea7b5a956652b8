import { useEffect } from "react";

/** Names the screen in the window's title, most particular first. */
export function useTitle(...parts: (string | undefined)[]): void {
  const title = [...parts.filter(Boolean), "Watchfloor"].join(" · ");
  useEffect(() => {
    document.title = title;
  }, [title]);
}
