import { useEffect } from "react";
import { useLatest } from "./use-latest.ts";

/**
 * Calls `leave` when the component or the page goes away: what has the focus then is not blurred. Drafts are stored when the page goes
 * away (app/connect-core.ts); what `leave` writes is part of them.
 */
export function useBeforeLeaving(leave: () => void): void {
  const latest = useLatest(leave);
  useEffect(() => {
    const call = () => latest.current();
    addEventListener("pagehide", call, { capture: true });
    return () => {
      removeEventListener("pagehide", call, { capture: true });
      call();
    };
  }, []);
}
