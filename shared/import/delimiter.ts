/** The delimiters that are recognised in a file. */
export const delimiters = [",", ";", "\t", "|"] as const;

/** The part of the first line outside quotes, and whether the line has ended. */
export function firstLine(text: string): { plain: string; hasEnded: boolean } {
  let plain = "";
  let isQuoted = false;
  for (const [at, sign] of [...text].entries()) {
    const isBreak = !isQuoted && (sign === "\n" || sign === "\r");
    if (isBreak && text.slice(0, at).trim() !== "") return { plain, hasEnded: true };
    if (sign === '"') isQuoted = !isQuoted;
    else if (!isQuoted) plain += sign;
  }
  return { plain, hasEnded: false };
}

/** The most frequent delimiter of a line. */
export function delimiterOf(line: string): string {
  const counts = delimiters.map((one) => line.split(one).length);
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ",";
}
