import { useCallback, useEffect, useRef, useState } from "react";
import { isSessionEnd, problemText } from "./problem-text.ts";

/** What was read last; `problem` says why it could not be read again. */
export interface Remote<T> {
  data: T | null;
  problem: string | null;
  reload(): void;
}

/**
 * Reads something when a screen opens, again every `everyMs` while somebody looks, whenever `news` is
 * another number, and on `reload`.
 * An answer that was overtaken by a later one is dropped; a failure keeps what was there.
 */
export function useRemote<T>(load: () => Promise<T>, everyMs: number, revision = 0): Remote<T> {
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: the news is what is waited for.
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
