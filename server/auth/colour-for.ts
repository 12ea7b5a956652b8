import { createHash } from "node:crypto";
import { palette } from "../../shared/model/palette.ts";

/** A user's default colour: always the same for the same id. */
export function colourFor(id: string): string {
  const byte = createHash("sha256").update(id).digest()[0] ?? 0;
  return palette[byte % palette.length] ?? "blue";
}
