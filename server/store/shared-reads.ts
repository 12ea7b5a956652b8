interface Flight {
  result: Promise<unknown>;
  /** The read that begins when this one ends, for all who asked meanwhile. */
  next: Promise<unknown> | null;
}

/**
 * Runs equal reads once for everybody who waits for them. At most one of a kind is under way, and a caller never joins
 * one that has begun already: the result includes whatever was committed before the call.
 */
export class SharedReads {
  readonly #flights = new Map<string, Flight>();

  run<Result>(key: string, read: () => Promise<Result>): Promise<Result> {
    const flight = this.#flights.get(key);
    if (!flight) return this.#begin(key, read);
    const begin = () => this.#begin(key, read);
    flight.next ??= flight.result.then(begin, begin);
    return flight.next as Promise<Result>;
  }

  #begin<Result>(key: string, read: () => Promise<Result>): Promise<Result> {
    const result = read();
    const flight: Flight = { result, next: null };
    this.#flights.set(key, flight);
    const end = () => {
      if (flight.next === null) this.#flights.delete(key);
    };
    result.then(end, end);
    return result;
  }
}

/** Runs `read` one at a time. What was there before a call has been seen when the call ends. */
export function oneAtATime(read: () => Promise<void>): () => Promise<void> {
  const reads = new SharedReads();
  return () => reads.run("", read);
}
