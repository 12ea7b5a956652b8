import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/**
 * What the built client weighs on the wire: for the first load, which is the page, what its HTML
 * names and all that those scripts import statically, and for the grid beside it.
 */
export const FIRST_LOAD_BUDGET_BYTES = 278_000;
export const WALL_BUDGET_BYTES = 130_000;

export interface BundleSize {
  firstLoad: { file: string; bytes: number }[];
  /** Code that arrives later, by file. */
  later: { file: string; bytes: number }[];
}

/** Weighs a page of a build: the console, or `display.html`, the wall. In the bytes that the server sends to a browser that takes brotli. */
export function weighBundle(dist: string, page = "index.html"): BundleSize {
  const html = readFileSync(join(dist, page), "utf8");
  const named = [...html.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css))"/g)].map(([, file]) => file);
  const first = new Set<string>([page]);
  for (const file of named) if (file) follow(dist, file, first);
  const all = readdirSync(join(dist, "assets")).map((file) => `assets/${file}`);
  const weigh = (file: string) => ({
    file,
    bytes: statSync(
      existsSync(join(dist, `${file}.br`)) ? join(dist, `${file}.br`) : join(dist, file),
    ).size,
  });
  const later = all.filter((file) => /\.(js|css)$/.test(file) && !first.has(file));
  return { firstLoad: [...first].map(weigh), later: later.map(weigh) };
}

/** Adds a file and what it imports statically; a dynamic import is another load. */
function follow(dist: string, file: string, seen: Set<string>): void {
  if (seen.has(file)) return;
  seen.add(file);
  if (!file.endsWith(".js")) return;
  const code = readFileSync(join(dist, file), "utf8");
  const imports = code.matchAll(/(?:from|import)\s*"\.\/([\w.-]+\.js)"/g);
  for (const [, name] of imports) if (name) follow(dist, `assets/${name}`, seen);
}

/** The sum of some files. */
export function sumBytes(files: readonly { bytes: number }[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}
