import type { IncomingMessage } from "node:http";
import express from "express";

/**
 * The client address of a socket's request: by the setting of trusted proxies, as Express does it
 * for `request.ip`, so that REST and socket count the same address.
 */
export function addressOf(
  trustProxy: number | string,
): (request: Pick<IncomingMessage, "socket" | "headers">) => string {
  const isTrusted = express().set("trust proxy", trustProxy).get("trust proxy fn") as (
    address: string,
    hop: number,
  ) => boolean;
  return ({ socket, headers }) => {
    const forwarded = String(headers["x-forwarded-for"] ?? "").split(",");
    const hops = [socket.remoteAddress ?? "", ...forwarded.map((one) => one.trim()).reverse()];
    const known = hops.filter(Boolean);
    const clientIndex = known.findIndex((address, hop) => !isTrusted(address, hop));
    return known[clientIndex < 0 ? known.length - 1 : clientIndex] ?? "";
  };
}
