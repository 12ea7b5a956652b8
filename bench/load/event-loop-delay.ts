/**
 * How long the event loop of a server was held up, in milliseconds (p99), since this was last read: the server's
 * metrics start anew each time they are read.
 */
export async function readEventLoopDelay(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const seconds = /^watchfloor_nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(text)?.[1];
  return Number(seconds) * 1_000;
}
