/**
 * Which of several tabs sends a stored edit: the one that made it, and when that tab is gone, the
 * first to take it over. Sending twice would be harmless (same id); this keeps it from being usual.
 */
export interface TabLease {
  readonly tab: string;
  /** Runs `take` for a tab that no longer lives, and for one taker only; answers whether it ran. */
  takeOver(tab: string, take: () => Promise<void>): Promise<boolean>;
  release(): void;
}

/** For places that have one tab only: Node, tests. Every other tab counts as gone. */
export function singleTabLease(tab: string): TabLease {
  return {
    tab,
    async takeOver(_other, take) {
      await take();
      return true;
    },
    release() {},
  };
}
