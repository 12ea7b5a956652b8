/** The result of work, or an error if it takes longer. The work itself goes on. */
export function inTime<T>(work: Promise<T>, timeoutMs: number, reason: string): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const late = setTimeout(() => reject(new Error(reason)), timeoutMs);
  work.then(resolve, reject).finally(() => clearTimeout(late));
  return promise;
}
