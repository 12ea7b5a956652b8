import type { Request } from "express";
import type { Caller } from "../auth/sign-in.ts";

const USER_AGENT_MAX = 400;

/** Where a request came from, as far as sessions and events keep it. */
export function callerOf(request: Request): Caller {
  return {
    ip: request.ip ?? "",
    userAgent: (request.get("user-agent") ?? "").slice(0, USER_AGENT_MAX),
  };
}
