import { useElementSize } from "@mantine/hooks";
import type { RefCallback } from "react";

interface Size {
  width: number;
  height: number;
}

/** How large a screen can be drawn in the room that there is: `ref` goes to that room. */
export function useFittedSize(screen: Size): {
  ref: RefCallback<HTMLDivElement | null>;
  size: Size;
  scale: number;
} {
  const { ref, width, height } = useElementSize<HTMLDivElement>();
  const scale = Math.max(0, Math.min(width / screen.width, height / screen.height));
  return { ref, size: { width: screen.width * scale, height: screen.height * scale }, scale };
}
