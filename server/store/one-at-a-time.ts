/**
 * Runs `work` one at a time. Calls meanwhile let it run once more, and wait for that too: what was there before a call has
 * been seen when it ends.
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let mustRepeat = false;
  const run = async () => {
    try {
      do {
        mustRepeat = false;
        await work();
      } while (mustRepeat);
    } finally {
      // In the turn in which nobody has requested it again.
      running = null;
    }
  };
  return () => {
    if (running) mustRepeat = true;
    running ??= run();
    return running;
  };
}
