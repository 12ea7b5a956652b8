/** Rows of the beginning of a file, as its first cells. Quoted cells may hold line breaks; rows without a value are left out. */
export function readSample(
  text: string,
  { delimiter, maxRows }: { delimiter: string; maxRows: number },
): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let isQuoted = false;
  const endRow = () => {
    row.push(cell);
    if (row.some((one) => one.trim())) rows.push(row);
    row = [];
    cell = "";
  };
  const source = text.startsWith("\u{FEFF}") ? text.slice(1) : text;
  for (let at = 0; at < source.length && rows.length < maxRows; at += 1) {
    const sign = source[at] as string;
    if (isQuoted) {
      if (sign !== '"') cell += sign;
      else if (source[at + 1] === '"') {
        cell += sign;
        at += 1;
      } else isQuoted = false;
    } else if (sign === '"' && cell === "") isQuoted = true;
    else if (sign === delimiter) {
      row.push(cell);
      cell = "";
    } else if (sign === "\n" || sign === "\r") {
      if (sign === "\r" && source[at + 1] === "\n") at += 1;
      endRow();
    } else cell += sign;
  }
  if (rows.length < maxRows && (cell !== "" || row.length > 0)) endRow();
  return rows;
}
