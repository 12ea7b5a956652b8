import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** What reads our standard output has ended before we did, as `head` does. */
export class OutputClosed extends Error {}

/** The exit status of a program that SIGPIPE has ended. */
export const OUTPUT_CLOSED_STATUS = 141;

/** Writes to standard output; throws `OutputClosed` if nobody reads it any more. */
export async function writeOutput(content: string | Readable): Promise<void> {
  const source = typeof content === "string" ? Readable.from([content]) : content;
  try {
    await pipeline(source, process.stdout, { end: false });
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === "EPIPE" ? new OutputClosed() : error;
  }
}
