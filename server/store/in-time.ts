/** The result of work, or an error if it takes longer. The work itself goes on. */
export async function inTime<T>(work: Promise<T>, timeoutMs: number, reason: string): Promise<T> {
  const result = await within<T, typeof late>(work, timeoutMs, late);
  if (result === late) throw new Error(reason);
  return result;
}

const late = Symbol("late");

/** The result of work, or another one if it takes longer. The work itself goes on. */
export function within<T, U>(work: Promise<T>, timeoutMs: number, otherwise: U): Promise<T | U> {
  const { promise, resolve, reject } = Promise.withResolvers<T | U>();
  const timer = setTimeout(() => resolve(otherwise), timeoutMs);
  work.then(resolve, reject).finally(() => clearTimeout(timer));
  return promise;
}
