import { type Finding, findingsOf } from "./finding.ts";

/**
 * Reads the pages of the console and of displays at the public address with all files of their programs, as a browser does. Where one does
 * not arrive as it is, the page says that it could not be loaded, whoever opens it, and this says why.
 */

const ANSWER_TIMEOUT_MS = 5_000;
const PAGES = ["/", "/display"];
/** Behind a balancer, servers of another version may answer every other request. */
const READS = 2;
const advice =
  "Run the same version on all servers, and let the proxy pass /assets/ on unchanged, and the pages without caching them (docs/guides/deploying.md).";

export async function checkPages(publicUrl: string): Promise<Finding[]> {
  const { fault } = findingsOf("pages");
  for (let read = 0; read < READS; read += 1) {
    for (const page of PAGES) {
      const problem = await problemOf(new URL(page, publicUrl));
      if (!problem) continue;
      const message = `At PUBLIC_URL (${publicUrl}) the page ${page} can't be loaded: ${problem}`;
      return [fault(message, advice)];
    }
  }
  return [];
}

async function problemOf(page: URL): Promise<string | null> {
  const { answer, text } = await read(page);
  if (!answer?.ok) return `it is answered ${answer?.status ?? "by nothing"}.`;
  const files = [...text.matchAll(/<(?:script|link)\b[^>]*?\b(?:src|href)="([^"]+\.(?:js|css))"/g)];
  if (files.length === 0) return "another page comes in its place.";
  const problems = await Promise.all(
    files.map(([, path = ""]) => fileProblem(new URL(path, page))),
  );
  return problems.find((problem) => problem !== null) ?? null;
}

async function fileProblem(file: URL): Promise<string | null> {
  const { answer } = await read(file);
  if (!answer) return `its file ${file.pathname} does not arrive whole.`;
  const type = answer.headers.get("content-type") ?? "no type";
  const isOurs = type.startsWith(file.pathname.endsWith(".css") ? "text/css" : "text/javascript");
  return answer.ok && isOurs
    ? null
    : `its file ${file.pathname} is answered ${answer.status} (${type}).`;
}

/** No answer where it does not arrive whole in time. */
async function read(url: URL): Promise<{ answer: Response | null; text: string }> {
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  try {
    const answer = await fetch(url, { signal, redirect: "manual" });
    return { answer, text: await answer.text() };
  } catch {
    return { answer: null, text: "" };
  }
}
