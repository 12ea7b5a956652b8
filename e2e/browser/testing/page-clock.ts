declare global {
  interface Window {
    /** Advances the page's clock by so many seconds, as fast as the machine can. */
    passSeconds(seconds: number): Promise<void>;
    /** How many timers are waiting. */
    waitingTimers(): number;
  }
}

/**
 * Runs in the page, before its scripts: stops the page's clock except for `passSeconds`. Playwright's own
 * clock rests some milliseconds of real time at each timer, which makes a day of a display an hour; here the
 * page only gets a turn (a macrotask, in which React draws) after each timer. While time passes the page is
 * not laid out, which would be most of the work: its elements change all the same.
 */
export function holdClock(): void {
  interface Timer {
    due: number;
    run: () => void;
    everyMs: number | null;
  }
  const RealDate = Date;
  const startedAt = RealDate.now();
  const timers = new Map<number, Timer>();
  let passedMs = 0;
  let lastId = 0;

  class HeldDate extends RealDate {
    constructor(...parts: [] | [number]) {
      super(...((parts.length === 0 ? [startedAt + passedMs] : parts) as [number]));
    }
    static override now(): number {
      return startedAt + passedMs;
    }
  }
  const plan = (run: () => void, ms: number, everyMs: number | null) => {
    lastId += 1;
    timers.set(lastId, { due: passedMs + Math.max(ms, 1), run, everyMs });
    return lastId;
  };
  const forget = (id: number) => timers.delete(id);
  performance.now = () => passedMs;
  Object.assign(window, {
    Date: HeldDate,
    setTimeout: (run: () => void, ms = 0) => plan(run, ms, null),
    setInterval: (run: () => void, ms = 0) => plan(run, ms, Math.max(ms, 1)),
    clearTimeout: forget,
    clearInterval: forget,
    waitingTimers: () => timers.size,
  });

  const { port1, port2 } = new MessageChannel();
  const othersTurn = () =>
    new Promise<void>((done) => {
      port1.onmessage = () => done();
      port2.postMessage(null);
    });
  window.passSeconds = async (seconds) => {
    const until = passedMs + seconds * 1_000;
    document.documentElement.style.display = "none";
    for (;;) {
      let next: [number, Timer] | null = null;
      for (const one of timers) if (!next || one[1].due < next[1].due) next = one;
      if (!next || next[1].due > until) break;
      const [id, { due, run, everyMs }] = next;
      passedMs = due;
      if (everyMs === null) timers.delete(id);
      else timers.set(id, { due: due + everyMs, run, everyMs });
      run();
      await othersTurn();
    }
    passedMs = until;
    document.documentElement.style.display = "";
  };
}

/** Runs in the page, before its scripts: the clock of its machine is ahead by so much. */
export function shiftClock(aheadMs: number): void {
  const RealDate = Date;
  class ShiftedDate extends RealDate {
    constructor(...parts: [] | [number]) {
      super(...((parts.length === 0 ? [RealDate.now() + aheadMs] : parts) as [number]));
    }
    static override now(): number {
      return RealDate.now() + aheadMs;
    }
  }
  Object.assign(window, { Date: ShiftedDate });
}
