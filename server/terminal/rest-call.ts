import { type RequestOptions, request as requestPlain } from "node:http";
import { request as requestByTls } from "node:https";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type InputArguments, requestOf, sessionToken } from "../../shared/protocol/call.ts";
import type { Answer, Contract, RouteName } from "../../shared/protocol/contract.ts";
import type { SignInCall } from "../../shared/protocol/session.ts";

/** Typed REST calls from Node: for command-line tools, the demo, benches and tests. */

const CHECK_MS = 5_000;
const SILENCE_MAX_MS = 30_000;

/** The server refused, or does not answer: a sentence for the terminal. */
export class ServerError extends Error {
  /** The body of the answer, if there was one. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(message: string, body: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.body = body;
  }
}

/** An authenticated call; a refusal is thrown as a ServerError. */
export type RestCall = <K extends RouteName>(
  name: K,
  ...input: InputArguments<Contract[K]>
) => Promise<Answer<K>>;

/** Calls with a token. */
export function restCaller(server: string, token: string): RestCall {
  return async (name, ...[input]) => {
    const answer = await send(server, name, { ...input, token });
    return (answer.status === 204 ? undefined : await answer.json()) as never;
  };
}

interface Sent {
  params?: object | undefined;
  query?: object | undefined;
  body?: unknown;
  /** A body that is streamed, instead of JSON. */
  file?: Readable;
  token?: string;
  /** Ends the call. */
  signal?: AbortSignal;
}

/** Sends a request; throws unless the server accepted it. However long it works on it, it has to answer others meanwhile. */
export async function send(server: string, name: RouteName, sent: Sent): Promise<Response> {
  const { method, path } = requestOf(name, sent);
  const { token, file, body } = sent;
  using watch = watchSilence(server);
  const signal = AbortSignal.any([watch.signal, ...(sent.signal ? [sent.signal] : [])]);
  file?.on("data", watch.noteSign);
  const url = `${server}/api/v1${path}`;
  const headers = {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(file ? { "content-type": "text/csv" } : body !== undefined && jsonType),
  };
  const answering = file
    ? sendFile(url, { method, headers, signal }, file)
    : fetch(url, { method, headers, signal, body: JSON.stringify(body) });
  const answer = await answering.catch((error: Error & { cause?: Error }) => {
    const why = error.cause?.message ?? error.message;
    const next = signal.aborted
      ? "What it was sent may have been applied all the same."
      : "Start the server (npm start) or name it with --url.";
    throw new ServerError(`${server} does not answer (${why}). ${next}`);
  });
  if (answer.ok) return answer;
  const problem = (await answer.json().catch(() => ({}))) as { message?: string };
  throw new ServerError(problem.message ?? `The server answered ${answer.status}.`, problem);
}

/** However long the server works on it: `fetch` waits no more than five minutes for an answer. */
function sendFile(url: string, options: RequestOptions, file: Readable): Promise<Response> {
  const request = url.startsWith("https:") ? requestByTls : requestPlain;
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (answer) => {
      const body = Readable.toWeb(answer) as ReadableStream;
      resolve(new Response(body, { status: answer.statusCode ?? 500 }));
    });
    // The pipeline ends with the file, and the connection may break until the answer.
    sent.on("error", reject);
    pipeline(file, sent).catch(reject);
  });
}

/** Aborts `signal` when the server has neither taken anything nor answered a check of its health for too long. */
function watchSilence(server: string): Disposable & { signal: AbortSignal; noteSign: () => void } {
  const silent = new AbortController();
  let seenAt = performance.now();
  const noteSign = () => {
    seenAt = performance.now();
  };
  const check = async () => {
    const answer = await fetch(`${server}/healthz`, { signal: AbortSignal.timeout(CHECK_MS) });
    noteSign();
    await answer.body?.cancel();
  };
  /** Only a failed check ends the call: this program itself may have been suspended for that long. */
  const noteFailure = () => {
    if (performance.now() - seenAt <= SILENCE_MAX_MS) return;
    silent.abort(new Error(`nothing for ${SILENCE_MAX_MS / 1_000} seconds`));
  };
  const timer = setInterval(() => void check().catch(noteFailure), CHECK_MS);
  return { signal: silent.signal, noteSign, [Symbol.dispose]: () => clearInterval(timer) };
}

const jsonType = { "content-type": "application/json" };

/** Signs in; the token is that of the new session. */
export async function signIn(
  server: string,
  body: SignInCall,
): Promise<{ token: string; session: Answer<"POST /session"> }> {
  const answer = await send(server, "POST /session", { body });
  return { token: sessionToken(answer), session: (await answer.json()) as Answer<"POST /session"> };
}
