import { useEffect } from "react";
import { PRODUCT_NAME } from "./product-name.ts";

/** Sets the title of the window; the most specific part comes first. */
export function useTitle(...parts: (string | undefined)[]): void {
  const title = [...parts.filter(Boolean), PRODUCT_NAME].join(" · ");
  useEffect(() => {
    document.title = title;
  }, [title]);
}
