import type { Request } from "express";

/** Where people reach us, without a slash at the end: as configured, else as this request did. */
export function baseUrl(request: Request, publicUrl: string | undefined): string {
  return publicUrl ?? `${request.protocol}://${request.host}`;
}
