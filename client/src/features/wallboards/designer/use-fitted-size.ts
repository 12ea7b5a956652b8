import { useElementSize } from "@mantine/hooks";
import type { RefCallback } from "react";

interface Size {
  width: number;
  height: number;
}

/** The largest size of a screen that fits into the element of `ref`. */
export function useFittedSize(screen: Size): {
  ref: RefCallback<HTMLDivElement | null>;
  size: Size;
  scale: number;
} {
  const { ref, width, height } = useElementSize<HTMLDivElement>();
  const scale = Math.max(0, Math.min(width / screen.width, height / screen.height));
  return { ref, size: { width: screen.width * scale, height: screen.height * scale }, scale };
}
