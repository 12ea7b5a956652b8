import { type RefObject, useEffect, useRef } from "react";

/** False after unmounting: an answer that comes then must not change the screen, which shows something else. */
export function useIsMounted(): Readonly<RefObject<boolean>> {
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return isMounted;
}
