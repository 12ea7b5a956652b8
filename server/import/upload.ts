import { createReadStream } from "node:fs";
import { stat, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { Readable } from "node:stream";
import type { DraftImport, ImportReport } from "../../shared/protocol/import-report.ts";
import { restCaller, send } from "../terminal/rest-call.ts";
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

/**
 * Makes a draft of the file, and returns its id with the report. Rejected rows are written to `rejects`, if it is given.
 * A draft whose file could not be read is deleted.
 */
export function uploadDraft(
  call: CliCall,
  path: string,
  { rejects, progress }: { rejects: string | null; progress: Progress },
): Promise<{ id: string; report: DraftImport }> {
  return withToken(call, async (token) => {
    const rest = restCaller(call.url, token);
    const { id } = await rest("POST /change-sets", { body: { title: basename(path) } });
    const params = { id };
    try {
      const query = { ...call.query, table: call.table };
      const body = await readFile(path, progress);
      const name = "POST /change-sets/{id}/import";
      const answer = await send(call.url, name, { params, query, file: body, token });
      const report = (await answer.json()) as DraftImport;
      if (rejects !== null && report.failed > 0) {
        const file = await send(call.url, "GET /change-sets/{id}/rejects.csv", { params, token });
        await writeFile(rejects, Readable.fromWeb(file.body as never));
      }
      return { id, report };
    } catch (error) {
      await rest("DELETE /change-sets/{id}", { params }).catch(() => undefined);
      throw error;
    }
  });
}

async function sendFile(call: CliCall, path: string, progress: Progress, token: string) {
  const answer = await send(call.url, "POST /tables/{table}/imports", {
    params: { table: call.table },
    query: call.query,
    file: await readFile(path, progress),
    token,
  });
  return (await answer.json()) as ImportReport;
}

async function readFile(path: string, progress: Progress): Promise<ReadableStream> {
  const { size } = await stat(path);
  const file = createReadStream(path);
  let sent = 0;
  file.on("data", (chunk) => {
    sent += chunk.length;
    progress(sent, size);
  });
  return Readable.toWeb(file) as ReadableStream;
}
