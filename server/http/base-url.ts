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
 * written, except on this machine.
 */
export function passkeyOrigin(request: Request, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return new URL(publicUrl).origin;
  if (loopbackHosts.test(request.hostname)) return baseUrl(request, publicUrl);
  const detail = { right: "passkeys", setting: "PUBLIC_URL" };
  throw new Refusal("forbidden", detail, explain("factor.publicUrl"));
}
