import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { ask, tokenFor } from "../terminal/server-call.ts";
import type { CliCall } from "./cli-arguments.ts";
import type { ImportReport } from "./import-report.ts";

type Progress = (sentBytes: number, totalBytes: number) => void;

/**
 * Sends the file to a running server and answers its report. The server reads no faster than it
 * writes, so what is sent is close to what is done.
 */
export async function upload(
  call: CliCall,
  path: string,
  progress: Progress,
): Promise<ImportReport> {
  const token = await tokenFor(call);
  const { size } = await stat(path);
  const file = createReadStream(path);
  let sent = 0;
  file.on("data", (chunk) => {
    sent += chunk.length;
    progress(sent, size);
  });
  const query = new URLSearchParams(call.query);
  const at = `/tables/${encodeURIComponent(call.table)}/imports?${query}`;
  const headers = { authorization: `Bearer ${token}`, "content-type": "text/csv" };
  const body = Readable.toWeb(file) as ReadableStream;
  const answer = await ask(call.url, at, { method: "POST", headers, body, duplex: "half" });
  return (await answer.json()) as ImportReport;
}
