import type { IncomingMessage } from "node:http";
import helmet from "helmet";
import { isHttps } from "./credential.ts";

/**
 * Response headers of every answer. Scripts come from our own files only. Inline styles are allowed, because
 * Mantine and AG Grid write theirs into the page. Older browsers do not count a WebSocket to the same host as
 * 'self', so it is named.
 */
export function securityHeaders({ publicUrl }: { publicUrl?: string | undefined }) {
  const https = isHttps(publicUrl);
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        baseUri: ["'none'"],
        connectSrc: ["'self'", webSocketOf(publicUrl)],
        fontSrc: ["'self'", "data:"],
        formAction: ["'self'"],
        frameAncestors: ["'self'"],
        imgSrc: ["'self'", "data:"],
        objectSrc: ["'none'"],
        scriptSrc: ["'self'"],
        scriptSrcAttr: ["'none'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
      },
    },
    strictTransportSecurity: https,
    // Browsers complain about these two on plain http in a local network, and ignore them.
    crossOriginOpenerPolicy: https,
    originAgentCluster: https,
  });
}

/** Of the public address, because a proxy may rewrite `Host`. */
function webSocketOf(publicUrl: string | undefined) {
  const known = publicUrl && new URL(publicUrl).host;
  return ({ headers }: IncomingMessage): string => {
    const host = known ?? /^[\w.:[\]-]{1,255}$/.exec(headers.host ?? "")?.[0];
    return host ? `ws://${host} wss://${host}` : "'self'";
  };
}
