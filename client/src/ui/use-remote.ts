import { useCallback, useEffect, useRef, useState } from "react";
import { onUpdate, type UpdateKind } from "../state/updates.ts";
import { isSessionEnd, problemText } from "./problem-text.ts";
import { useLatest } from "./use-latest.ts";

/** The last data that was read; `problem` says why the last attempt failed. */
export interface Remote<T> {
  data: T | null;
  problem: string | null;
  reload(): void;
}

interface Options {
  /** The kinds of notices upon which it is read again. */
  on?: readonly UpdateKind[];
  /** Another key is the reason to read again, such as a filter. */
  key?: string;
  /** Refreshes what no notice announces, such as a last use, while the page is visible. Infinite for what never changes. */
  everyMs?: number;
}

const REFRESH_MS = 30_000;

/**
 * Reads data when a screen opens, upon notices, from time to time, and on `reload`. An answer overtaken by a later one
 * is dropped. A failure keeps the previous data.
 */
export function useRemote<T>(
  load: () => Promise<T>,
  { on = [], key = "", everyMs = REFRESH_MS }: Options = {},
): Remote<T> {
  const [state, setState] = useState<{ data: T | null; problem: string | null }>({
    data: null,
    problem: null,
  });
  const latest = useLatest(load);
  const turn = useRef(0);
  const reload = useCallback(() => {
    const request = ++turn.current;
    const apply = (next: (data: T | null) => { data: T | null; problem: string | null }) => {
      if (request === turn.current) setState(({ data }) => next(data));
    };
    latest.current().then(
      (data) => apply(() => ({ data, problem: null })),
      (error) =>
        apply((data) => ({ data, problem: isSessionEnd(error) ? null : problemText(error) })),
    );
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another key is the reason to read.
  useEffect(reload, [reload, key]);
  const kinds = on.join(" ");
  useEffect(() => {
    const stops = kinds.split(" ").map((kind) => kind && onUpdate(kind as UpdateKind, reload));
    return () => {
      for (const stop of stops) if (stop) stop();
    };
  }, [kinds, reload]);
  useEffect(() => {
    if (everyMs === Number.POSITIVE_INFINITY) return;
    const timer = setInterval(() => document.hidden || reload(), everyMs);
    return () => clearInterval(timer);
  }, [reload, everyMs]);
  useEffect(
    () => () => {
      turn.current++;
    },
    [],
  );
  return { ...state, reload };
}
