/**
 * Decides which of several tabs sends a stored edit: the one that made it or, when that is closed, the first to take it
 * over. Sending twice would be harmless (same id) but wasteful.
 */
export interface TabLease {
  readonly tab: string;
  /** Runs `take` if the tab is closed and no other tab has taken it over. Returns whether it ran. */
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
