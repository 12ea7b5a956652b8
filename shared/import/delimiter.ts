/** The delimiters that are recognised in a file. */
export const delimiters = [",", ";", "\t", "|"] as const;

/** Finds the delimiter of a file that arrives in parts: the most frequent one in its first line with text, outside quotes. */
export class DelimiterSearch {
  readonly #counts = new Map<string, number>(delimiters.map((one) => [one, 0]));
  #isQuoted = false;
  #hasText = false;

  /** Reads the next part; true once the line has ended. */
  read(text: string): boolean {
    for (const sign of text) {
      const count = this.#counts.get(sign);
      if (sign === '"') this.#isQuoted = !this.#isQuoted;
      else if (this.#isQuoted) continue;
      else if (sign === "\n" || sign === "\r") {
        if (this.#hasText) return true;
      } else if (count !== undefined) this.#counts.set(sign, count + 1);
      this.#hasText ||= sign.trim() !== "";
    }
    return false;
  }

  get delimiter(): string {
    const most = Math.max(...this.#counts.values());
    return delimiters.find((one) => this.#counts.get(one) === most) ?? ",";
  }
}
