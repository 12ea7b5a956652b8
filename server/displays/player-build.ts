import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Identifies the player that this server serves: the files that its page loads, whose names contain hashes.
 * The page derives the same from itself (client/src/display/core/own-build.ts), so each side knows when they
 * differ. Empty if no client was built.
 */
export function playerBuild(clientDir: string): string {
  try {
    const page = readFileSync(join(clientDir, "display.html"), "utf8");
    const files = [...page.matchAll(/"\/assets\/([\w.-]+)"/g)].map(([, file]) => file ?? "");
    return [...new Set(files)].sort().join(" ");
  } catch {
    return "";
  }
}
