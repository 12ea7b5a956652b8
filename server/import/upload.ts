import { createReadStream } from "node:fs";
import { stat, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { Readable } from "node:stream";
import type { DraftImport, ImportReport } from "../../shared/protocol/imports.ts";
import { send } from "../terminal/rest-call.ts";
import { CLEAN_UP_TIMEOUT_MS, withServer } from "../terminal/server-call.ts";
import type { CliCall } from "./cli-arguments.ts";

type Progress = (sentBytes: number, totalBytes: number) => void;

interface UploadOptions {
  /** Where rejected rows are written, if anywhere. */
  rejects: string | null;
  progress: Progress;
}

interface Uploaded<Report> {
  report: Report;
  /** Why the rejected rows were not written; null if they were, or there is nothing to write. */
  problem: string | null;
}

/**
 * Sends the file to a running server and returns its report. The server reads no faster than it writes, so
 * the sent part is close to the finished part. Rejected rows are written to `rejects`, if it is given.
 */
export function upload(
  call: CliCall,
  path: string,
  { rejects, progress }: UploadOptions,
): Promise<Uploaded<ImportReport>> {
  return withServer(call, async (_rest, token) => {
    const report = await sendFile(call, path, progress, token);
    const id = report.failed > 0 ? report.changeSet : null;
    return { report, problem: await writeRejects(rejects, { id, call, token }) };
  });
}

/**
 * Makes a draft of the file, and returns its id with the report. Rejected rows are written to `rejects`, if it is given.
 * A draft whose file could not be read is deleted.
 */
export function uploadDraft(
  call: CliCall,
  path: string,
  { rejects, progress }: UploadOptions,
): Promise<Uploaded<DraftImport> & { id: string }> {
  return withServer(call, async (rest, token) => {
    const { id } = await rest("POST /change-sets", { body: { title: basename(path) } });
    const params = { id };
    const query = { ...call.query, table: call.table };
    const sendDraft = async () => {
      const file = await readFile(path, progress);
      const name = "POST /change-sets/{id}/import";
      const answer = await send(call.url, name, { params, query, file, token });
      return (await answer.json()) as DraftImport;
    };
    const report = await sendDraft().catch(async (error: unknown) => {
      const signal = AbortSignal.timeout(CLEAN_UP_TIMEOUT_MS);
      const deletion = send(call.url, "DELETE /change-sets/{id}", { params, token, signal });
      await deletion.catch(() => undefined);
      throw error;
    });
    const problem = await writeRejects(rejects, { id: report.failed > 0 ? id : null, call, token });
    return { id, report, problem };
  });
}

/** Says what went wrong: the import itself is done. */
async function writeRejects(
  path: string | null,
  { id, call, token }: { id: string | null; call: CliCall; token: string },
): Promise<string | null> {
  if (path === null || id === null) return null;
  try {
    const name = "GET /change-sets/{id}/rejects.csv";
    const file = await send(call.url, name, { params: { id }, token });
    await writeFile(path, Readable.fromWeb(file.body as never));
    return null;
  } catch (error) {
    return `The rejected rows could not be written to ${path}: ${(error as Error).message}.`;
  }
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

async function readFile(path: string, progress: Progress): Promise<Readable> {
  const { size } = await stat(path);
  const file = createReadStream(path);
  let sent = 0;
  file.on("data", (chunk) => {
    sent += chunk.length;
    progress(sent, size);
  });
  return file;
}
