import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { Request, Response } from "express";

/** A document that is encoded once and sent many times. Almost every client takes it as it is. */
export type Gzipped = Buffer;

export const gzipped: (text: string) => Promise<Gzipped> = promisify(gzip);
const unzipped = promisify(gunzip);

/** Sends a document, to a client that takes no gzip as plain text. */
export async function sendGzipped(
  request: Request,
  response: Response,
  type: string,
  document: Gzipped,
): Promise<void> {
  response.type(type).vary("Accept-Encoding");
  if (request.acceptsEncodings("gzip", "identity") === "gzip") {
    response.set("Content-Encoding", "gzip").send(document);
  } else response.send(await unzipped(document));
}
