import type { Request } from "express";
import { explain } from "../../shared/error-texts/explain.ts";
import { Refusal } from "../../shared/protocol/errors.ts";

/** The public address, without a slash at the end: as configured, else from this request. */
export function baseUrl(request: Request, publicUrl: string | undefined): string {
  return publicUrl ?? `${request.protocol}://${request.host}`;
}

const loopbackHosts = /^(localhost|.+\.localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * The origin that passkeys are bound to. Never from the request, which a proxy or a stranger may have
 * written, except on this machine and at the server's own port: another program of this machine, which a browser takes for the same
 * site, could pass its own `Host` on and sign in by a passkey that was meant for itself.
 */
export function passkeyOrigin(request: Request, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return new URL(publicUrl).origin;
  const isHere = loopbackHosts.test(request.hostname);
  if (isHere && portOf(request) === request.socket.localPort) return baseUrl(request, publicUrl);
  const detail = { right: "passkeys", setting: "PUBLIC_URL" };
  throw new Refusal("forbidden", detail, explain("factor.publicUrl"));
}

/** The port of an address that a request names; null if it names none that can be one. */
function portOf({ protocol, host }: Request): number | null {
  const address = `${protocol}://${host}`;
  if (!URL.canParse(address)) return null;
  const { port } = new URL(address);
  if (port !== "") return Number(port);
  return protocol === "https" ? 443 : 80;
}
