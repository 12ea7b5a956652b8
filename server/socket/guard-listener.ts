import type { Log } from "../relay/log.ts";

/**
 * A listener of the sockets whose failure, at once or later, is logged and ends nothing: Socket.IO calls listeners outside
 * of anything that could catch it, so it would end the process, and everybody's connections with it.
 */
export function guardListener<Args extends unknown[]>(
  log: Pick<Log, "error">,
  during: string,
  listener: (...args: Args) => unknown,
): (...args: Args) => void {
  const report = (err: unknown) => log.error({ err, during }, "a listener of the sockets failed");
  return (...args) => {
    try {
      const result = listener(...args);
      if (result instanceof Promise) result.catch(report);
    } catch (error) {
      report(error);
    }
  };
}
