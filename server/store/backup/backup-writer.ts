import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";

/**
 * A backup is one gzip stream of JSON lines. `{bytes}` is followed by so many bytes of rows, as COPY writes
 * them; `{rows}` ends a table with their number; `{sha256}` ends the file with the digest of all before it.
 * It is written beside its name and renamed when it is complete, readable for its owner only.
 */
export class BackupWriter {
  readonly #file: string;
  readonly #temporary: string;
  readonly #gzip = createGzip({ level: 1 });
  readonly #written: Promise<void>;
  readonly #digest = createHash("sha256");

  constructor(file: string) {
    this.#file = file;
    // Processes of several containers may have the same number.
    this.#temporary = `${file}.${randomUUID()}.partial`;
    const target = createWriteStream(this.#temporary, { flags: "wx", mode: 0o600, flush: true });
    this.#written = pipeline(this.#gzip, target);
    // Reported by the next write.
    this.#written.catch(() => undefined);
  }

  /** Writes a line, and the bytes that belong to it. */
  async write(line: object, bytes?: Buffer): Promise<void> {
    await this.#append(Buffer.from(`${JSON.stringify(line)}\n`));
    if (bytes) await this.#append(bytes);
  }

  /** Ends the file and gives it its name, replacing an earlier file of that name. */
  async finish(): Promise<void> {
    const sha256 = this.#digest.copy().digest("hex");
    await this.#append(Buffer.from(`${JSON.stringify({ sha256 })}\n`));
    this.#gzip.end();
    await this.#written;
    await rename(this.#temporary, this.#file);
  }

  /** Removes what was written; returns why it could not be written, if that was the reason. */
  async discard(): Promise<unknown> {
    const { errored } = this.#gzip;
    this.#gzip.destroy();
    const failure = await this.#written.then(
      () => null,
      (error: unknown) => error,
    );
    await rm(this.#temporary, { force: true });
    return errored === null ? null : failure;
  }

  async #append(bytes: Buffer): Promise<void> {
    this.#digest.update(bytes);
    if (this.#gzip.errored) return this.#written;
    if (!this.#gzip.write(bytes)) await Promise.race([once(this.#gzip, "drain"), this.#written]);
  }
}
