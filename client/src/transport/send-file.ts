import { type InputArguments, requestOf } from "../../../shared/protocol/call.ts";
import type { Answer, Contract, RouteName } from "../../../shared/protocol/contract.ts";
import { Refusal } from "../../../shared/protocol/errors.ts";
import { toRefusal } from "./rest/rest.ts";

export interface FileUpload {
  file: Blob;
  /** Of the whole file, sent so far: between 0 and 1. */
  onProgress: (part: number) => void;
  signal: AbortSignal;
}

/** Thrown when the caller has ended the upload. */
export class UploadAborted extends Error {}

/**
 * Sends a file as the body of a call. By XMLHttpRequest, because `fetch` can't say how much was sent; without a time limit, because large files take
 * long.
 */
export function sendFile<K extends RouteName>(
  name: K,
  input: InputArguments<Contract[K]>[0],
  { file, onProgress, signal }: FileUpload,
): Promise<Answer<K>> {
  const { method, path } = requestOf(name, input);
  const request = new XMLHttpRequest();
  const { promise, resolve, reject } = Promise.withResolvers<Answer<K>>();
  request.open(method, `/api/v1${path}`);
  request.setRequestHeader("content-type", "text/csv");
  request.upload.onprogress = ({ loaded, total }) => onProgress(total ? loaded / total : 1);
  request.onerror = () => reject(new Refusal("unavailable", { offline: true }));
  request.onabort = () => reject(new UploadAborted());
  request.onload = () => {
    const answer = parsed(request.responseText);
    if (request.status < 300 && answer) return resolve(answer as Answer<K>);
    const headers = { get: (header: string) => request.getResponseHeader(header) };
    reject(toRefusal({ status: request.status, headers }, answer));
  };
  signal.addEventListener("abort", () => request.abort());
  if (signal.aborted) reject(new UploadAborted());
  else request.send(file);
  return promise;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
