import { mkdir, writeFile } from "node:fs/promises";
import { loadavg } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright";
import { repositoryRoot } from "./run-tool.ts";

/**
 * What remains of a failed browser test: of each open page a picture, the document, its console and the last frames of its sockets,
 * in .cache/failures. The failure's text names the folder, and repeats what is short, because a run in CI leaves nothing else.
 */
const FRAMES_MAX = 200;
const FRAME_MAX_CHARS = 2_000;
const LINES_IN_TEXT = 8;
const PAGE_IN_TEXT_CHARS = 3_000;
/** A page that hangs must not hold the suite. */
const PICTURE_WITHIN_MS = 10_000;

interface Recorded {
  readonly page: Page;
  readonly lines: string[];
  readonly frames: string[];
}

const open = new Map<Page, Recorded>();

/** What the pages of the current test threw or logged as errors, a list for each page. */
const complaints = new Set<string[]>();

/** What the browser logs by itself when a test refuses requests or takes the network away. */
const expectedErrors =
  /status of 4\d\d|WebSocket connection|ERR_INTERNET_DISCONNECTED|Failed to load resource.*\/socket\.io\//;

/**
 * What AG Grid throws in a timer where a cell was removed in the same turn in which it was drawn; nothing is lost by it. None of our own
 * code can: the compiler refuses to read a property of null.
 */
const errorOfAgGrid = "Cannot read properties of null (reading 'focus')";

/**
 * Records the page until it closes. Returns the list of what it throws or logs as an error, except what tests cause by refusing
 * requests: a test fails if the list is not empty at its end, so one that expects errors removes them.
 */
export function recordEvidence(
  page: Page,
  { expectsErrors }: { expectsErrors: boolean },
): string[] {
  const recorded: Recorded = { page, lines: [], frames: [] };
  open.set(page, recorded);
  const errors: string[] = [];
  if (!expectsErrors) complaints.add(errors);
  page.on("pageerror", ({ message }) => {
    if (message !== errorOfAgGrid) errors.push(message);
  });
  page.on("console", (message) => {
    const text = `${message.text()} (${message.location().url})`;
    if (message.type() === "error" && !expectedErrors.test(text)) errors.push(text);
  });
  const at = () => new Date().toISOString().slice(11, 23);
  const frame = (direction: string) => (data: { payload: string | Buffer }) => {
    recorded.frames.push(`${at()} ${direction} ${String(data.payload).slice(0, FRAME_MAX_CHARS)}`);
    if (recorded.frames.length > FRAMES_MAX) recorded.frames.shift();
  };
  page.on("close", () => open.delete(page));
  page.on("console", (message) =>
    recorded.lines.push(`${at()} ${message.type()}: ${message.text()}`),
  );
  page.on("pageerror", (error) => recorded.lines.push(`${at()} thrown: ${error.stack}`));
  page.on("websocket", (socket) => {
    socket.on("framesent", frame(">")).on("framereceived", frame("<"));
  });
  return errors;
}

/** Takes what pages have complained of since the last call, those that were closed meanwhile included. */
export function takeComplaints(): string[] {
  return [...complaints].flatMap((errors) => errors.splice(0));
}

/** Closes what a file has left open: its pages would fail the tests of the next file. */
export async function closePages(): Promise<void> {
  for (const page of openPages()) await page.close().catch(() => {});
  complaints.clear();
}

/** The pages that are open in this worker now, in the order in which they were opened. */
export function openPages(): Page[] {
  return [...open.keys()];
}

/** Writes down what the open pages show; returns the lines that are added to the failure's text. */
export async function saveEvidence(title: string): Promise<string[]> {
  if (open.size === 0) return [];
  const name = title.replace(/[^\w-]+/g, "-").slice(0, 100);
  const folder = join(repositoryRoot, ".cache", "failures", `${Date.now()}-${name}`);
  await mkdir(folder, { recursive: true });
  const load = loadavg().map((value) => value.toFixed(1));
  const texts = [`Evidence: ${folder} · load ${load.join(" ")}`];
  for (const [index, recorded] of [...open.values()].entries()) {
    texts.push(...(await savePage(recorded, join(folder, String(index + 1)))));
  }
  return texts;
}

async function savePage({ page, lines, frames }: Recorded, path: string): Promise<string[]> {
  const ignore = () => undefined;
  const timeout = PICTURE_WITHIN_MS;
  const orLate = (answer: Promise<string>) =>
    Promise.race([
      answer.catch(String),
      new Promise<string>((resolve) => setTimeout(resolve, timeout, "(the page does not answer)")),
    ]);
  const shown = orLate(shownText(page));
  const content = orLate(page.content());
  await page.screenshot({ path: `${path}.png`, timeout }).catch(ignore);
  await writeFile(`${path}.html`, await content);
  await writeFile(`${path}.log`, [...lines, "", ...frames].join("\n"));
  return [`Page ${page.url()}`, await shown, ...lines.slice(-LINES_IN_TEXT)];
}

/** The text that a page shows, and where its focus is. */
async function shownText(page: Page): Promise<string> {
  const { focus, text } = await page.evaluate(() => ({
    focus: document.activeElement?.outerHTML.slice(0, 400),
    text: document.body.innerText,
  }));
  return `Shows: ${text.replace(/\s+/g, " ").slice(0, PAGE_IN_TEXT_CHARS)}\nFocus: ${focus}`;
}
