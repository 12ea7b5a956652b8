import type { Page } from "playwright";

/** What a page asks for and is sent, from now on: requests, and the events of its socket by name. */
export interface Traffic {
  readonly requests: string[];
  readonly sent: string[];
  readonly received: string[];
  /** Forgets what was recorded so far. */
  clear(): void;
}

/** Begins to record. Called before the page is loaded, as sockets that are open already can't be heard. */
export function recordTraffic(page: Page): Traffic {
  const traffic = { requests: [] as string[], sent: [] as string[], received: [] as string[] };
  page.on("request", (request) => traffic.requests.push(`${request.method()} ${request.url()}`));
  const record =
    (events: string[]) =>
    ({ payload }: { payload: string | Buffer }) => {
      // An event of Socket.IO, with the number of the answer that it expects.
      const [, event] = /^42\d*\["([^"]+)"/.exec(String(payload)) ?? [];
      if (event !== undefined) events.push(event);
    };
  page.on("websocket", (socket) => {
    socket.on("framesent", record(traffic.sent)).on("framereceived", record(traffic.received));
  });
  return {
    ...traffic,
    clear() {
      for (const list of Object.values(traffic)) list.length = 0;
    },
  };
}
