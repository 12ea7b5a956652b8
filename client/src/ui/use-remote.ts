import { useCallback, useEffect, useRef, useState } from "react";
import { onUpdate, type UpdateKind } from "../state/updates.ts";
import { isSessionEnd, problemText } from "./problem-text.ts";
import { RemoteReader } from "./remote-reader.ts";
import { useLatest } from "./use-latest.ts";

/** The last data that was read; `problem` says why the last attempt failed. */
export interface Remote<T> {
  data: T | null;
  problem: string | null;
  reload(): void;
}

/**
 * Reads data when a screen opens, upon notices, after notices may have been missed, and on `reload`. Notices and reloads
 * during a read cause one more. A failure keeps the previous data.
 */
export function useRemote<T>(
  load: () => Promise<T>,
  {
    on = [],
    key = "",
  }: {
    /** The kinds of notices upon which it is read again. */
    on?: readonly UpdateKind[];
    /** Another key is the reason to read again, such as a filter. */
    key?: string;
  } = {},
): Remote<T> {
  const [state, setState] = useState<Omit<Remote<T>, "reload">>({ data: null, problem: null });
  const latest = useLatest(load);
  const reader = useRef<RemoteReader<T> | null>(null);
  const kinds = on.join(" ");
  // biome-ignore lint/correctness/useExhaustiveDependencies: another key is the reason to read.
  useEffect(() => {
    const current = new RemoteReader({
      load: () => latest.current(),
      onData: (data) => setState({ data, problem: null }),
      onError: (error) => {
        const problem = isSessionEnd(error) ? null : problemText(error);
        setState(({ data }) => ({ data, problem }));
      },
    });
    reader.current = current;
    current.restart();
    const stop = onUpdate(kinds.split(" ") as UpdateKind[], (notice) => {
      if (notice) current.request();
      else current.restart();
    });
    return () => {
      reader.current = null;
      current.stop();
      stop();
    };
  }, [key, kinds]);
  const reload = useCallback(() => reader.current?.request(), []);
  return { ...state, reload };
}
