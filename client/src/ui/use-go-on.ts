import { useCallback } from "react";
import { useLocation } from "wouter";
import { useIsMounted } from "./use-is-mounted.ts";

/** Navigates to the address that follows from an answer, unless the user has left the screen before the answer came. */
export function useGoOn(): (address: string) => void {
  const [, navigate] = useLocation();
  const isMounted = useIsMounted();
  return useCallback(
    (address) => {
      if (isMounted.current) navigate(address);
    },
    [navigate, isMounted],
  );
}
