import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { SocketServer } from "./open-sockets.ts";

/**
 * Each request of a polling connection, and an upgrade to a WebSocket, names the connection in its address, which proxies may log.
 * So it must carry the credential with which the connection was opened, too.
 */
export function guardPolling(
  engine: SocketServer["engine"],
  deps: {
    /** The session of a browser or display, or the token, in the headers; null if there is none. */
    credentialIn: (headers: IncomingHttpHeaders) => string | null;
  },
): void {
  // The library has no public API for them: its connections, and the query as it has read it.
  const { clients } = engine as unknown as {
    clients: Readonly<Record<string, { request: IncomingMessage } | undefined>>;
  };
  engine.use(
    (
      request: IncomingMessage & { _query?: Readonly<Record<string, unknown>> },
      _response: unknown,
      next: (error?: Error) => void,
    ): void => {
      const line = clients[String(request._query?.sid)];
      if (!line) next();
      else if (deps.credentialIn(request.headers) !== deps.credentialIn(line.request.headers)) {
        next(new Error("The connection belongs to another credential."));
      } else next();
    },
  );
}
