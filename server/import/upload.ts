import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import type { ImportReport } from "../../shared/protocol/import-report.ts";
import { send } from "../terminal/rest-call.ts";
import { withToken } from "../terminal/server-call.ts";
import type { CliCall } from "./cli-arguments.ts";

type Progress = (sentBytes: number, totalBytes: number) => void;

/**
 * Sends the file to a running server and returns its report. The server reads no faster than it writes, so
 * the sent part is close to the finished part.
 */
export function upload(call: CliCall, path: string, progress: Progress): Promise<ImportReport> {
  return withToken(call, (token) => sendFile(call, path, progress, token));
}

async function sendFile(call: CliCall, path: string, progress: Progress, token: string) {
  const { size } = await stat(path);
  const file = createReadStream(path);
  let sent = 0;
  file.on("data", (chunk) => {
    sent += chunk.length;
    progress(sent, size);
  });
  const answer = await send(call.url, "POST /tables/{table}/imports", {
    params: { table: call.table },
    query: call.query,
    file: Readable.toWeb(file) as ReadableStream,
    token,
  });
  return (await answer.json()) as ImportReport;
}
