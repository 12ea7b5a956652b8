import type { Request } from "express";
import type { Caller } from "../auth/sign-in.ts";

const USER_AGENT_MAX = 400;

/** The source of a request, as far as sessions and events store it. */
export function callerOf(request: Request): Caller {
  return {
    ip: request.ip ?? "",
    userAgent: (request.get("user-agent") ?? "").slice(0, USER_AGENT_MAX),
  };
}
