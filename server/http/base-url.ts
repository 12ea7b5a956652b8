import type { Request } from "express";
import { Refusal } from "../../shared/protocol/errors.ts";

/** The public address, without a slash at the end: as configured, else from this request. */
export function baseUrl(request: Request, publicUrl: string | undefined): string {
  return publicUrl ?? `${request.protocol}://${request.host}`;
}

const loopbackHosts = /^(localhost|.+\.localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * The origin that passkeys are bound to. Never from the request, which a proxy or a stranger may have
 * written, except on this machine.
 */
export function passkeyOrigin(request: Request, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return new URL(publicUrl).origin;
  if (loopbackHosts.test(request.hostname)) return baseUrl(request, publicUrl);
  const message = "Passkeys need the setting PUBLIC_URL. Ask whoever runs the server to set it.";
  throw new Refusal("forbidden", { right: "passkeys", setting: "PUBLIC_URL" }, message);
}
