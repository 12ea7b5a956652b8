/** Does work at every interval. Returns a function that stops. */
export function every(intervalMs: number, work: () => void): () => void {
  const timer = setInterval(work, intervalMs);
  return () => clearInterval(timer);
}
