import { useCallback, useEffect, useRef, useState } from "react";
import { isSessionEnd, problemText } from "./problem-text.ts";

/** The last data that was read; `problem` says why the last attempt failed. */
export interface Remote<T> {
  data: T | null;
  problem: string | null;
  reload(): void;
}

/**
 * Reads data when a screen opens, every `everyMs` while the page is visible, whenever `revision` changes, and on `reload`.
 * An answer overtaken by a later one is dropped. A failure keeps the previous data.
 */
export function useRemote<T>(
  load: () => Promise<T>,
  everyMs: number,
  revision: number | string = 0,
): Remote<T> {
  const [state, setState] = useState<{ data: T | null; problem: string | null }>({
    data: null,
    problem: null,
  });
  const latest = useRef({ load, turn: 0 });
  latest.current.load = load;
  const reload = useCallback(() => {
    const request = ++latest.current.turn;
    const apply = (next: (data: T | null) => { data: T | null; problem: string | null }) => {
      if (request === latest.current.turn) setState(({ data }) => next(data));
    };
    latest.current.load().then(
      (data) => apply(() => ({ data, problem: null })),
      (error) =>
        apply((data) => ({ data, problem: isSessionEnd(error) ? null : problemText(error) })),
    );
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new revision is the reason to read.
  useEffect(reload, [reload, revision]);
  useEffect(() => {
    const timer = setInterval(() => document.hidden || reload(), everyMs);
    return () => {
      clearInterval(timer);
      latest.current.turn++;
    };
  }, [reload, everyMs]);
  return { ...state, reload };
}
