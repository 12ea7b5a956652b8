import { type RefObject, useEffect, useRef } from "react";

/** The ref of what was refused: after a refusal the input has the focus and its text is selected, to be typed again. */
export function useTypedAgain(problem: string | null): RefObject<HTMLInputElement | null> {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!problem) return;
    input.current?.focus();
    input.current?.select();
  }, [problem]);
  return input;
}
