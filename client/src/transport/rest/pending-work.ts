/**
 * What the page still has to do by itself: keys that wait for their cell, edits that the server has not answered, calls
 * under way, rows that are about to be put in their places.
 */
const counts = { keys: 0, edits: 0, reads: 0, rows: 0 };
type Work = keyof typeof counts;

/** What the page has to do, published on its body: `data-pending` is the whole number, `data-pending-work` names what there is. */
export function setPending(work: Work, count: number): void {
  if (counts[work] === count) return;
  counts[work] = count;
  // The client core runs without a page, too.
  const page = globalThis.document?.body;
  if (!page) return;
  const all = Object.entries(counts).filter(([, pending]) => pending > 0);
  page.dataset.pending = String(all.reduce((sum, [, pending]) => sum + pending, 0));
  page.dataset.pendingWork = all.map(([name]) => name).join(" ");
}

/** Counts one read until it has ended. */
export function pendingRead<T>(read: Promise<T>): Promise<T> {
  setPending("reads", counts.reads + 1);
  return read.finally(() => setPending("reads", counts.reads - 1));
}
