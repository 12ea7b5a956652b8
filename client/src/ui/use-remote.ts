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
export function useRemote<T>(load: () => Promise<T>, everyMs: number, news = 0): Remote<T> {
  const [state, setState] = useState<{ data: T | null; problem: string | null }>({
    data: null,
    problem: null,
  });
  const latest = useRef({ load, turn: 0 });
  latest.current.load = load;
  const reload = useCallback(() => {
    const turn = ++latest.current.turn;
    const settle = (next: (data: T | null) => { data: T | null; problem: string | null }) => {
      if (turn === latest.current.turn) setState(({ data }) => next(data));
    };
    latest.current.load().then(
      (data) => settle(() => ({ data, problem: null })),
      (error) =>
        settle((data) => ({ data, problem: isSessionEnd(error) ? null : problemText(error) })),
    );
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the news is what is waited for.
  useEffect(reload, [reload, news]);
  useEffect(() => {
    const timer = setInterval(() => document.hidden || reload(), everyMs);
    return () => {
      clearInterval(timer);
      latest.current.turn++;
    };
  }, [reload, everyMs]);
  return { ...state, reload };
}
