import type { Server } from "node:http";

/**
 * Stops a server without breaking requests: accepts no new connections, lets running requests finish, closes
 * idle connections at once and the rest after `graceMs`, when `onCut` gets their number. Sockets must be closed first (server/socket); they
 * are not requests and would hold the server open.
 */
export async function stopServer(
  server: Server,
  graceMs: number,
  onCut: (connections: number) => void,
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const force = setTimeout(() => {
    server.getConnections((_, connections) => onCut(connections));
    server.closeAllConnections();
  }, graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(force);
}

/** Connections that finish a request meanwhile fall idle and are closed in their turn. */
const SWEEP_MS = 100;
