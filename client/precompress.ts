import { readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

const compressible = /\.(js|css|html|svg|json)$/;
/** Smaller files gain nothing. */
const MIN_BYTES = 1_024;
const GZIP_LEVEL = 9;

const brotli = (bytes: Buffer) =>
  promisify(brotliCompress)(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
const gzipped = (bytes: Buffer) => promisify(gzip)(bytes, { level: GZIP_LEVEL });

/** Writes a `.br` and a `.gz` beside each file of a build; the server sends what the browser takes. */
export function precompress(): Plugin {
  return {
    name: "watchfloor:precompress",
    apply: "build",
    async writeBundle({ dir = "" }, bundle) {
      const built = Object.values(bundle).map((file) => ({
        name: file.fileName,
        bytes: Buffer.from(file.type === "chunk" ? file.code : file.source),
      }));
      for (const { name, bytes } of [...built, ...publicFiles()]) {
        if (!compressible.test(name) || bytes.length < MIN_BYTES) continue;
        const path = join(dir, name);
        await Promise.all([
          brotli(bytes).then((data) => writeFile(`${path}.br`, data)),
          gzipped(bytes).then((data) => writeFile(`${path}.gz`, data)),
        ]);
      }
    },
  };
}

/** What the build copies as it is. */
function publicFiles() {
  const folder = join(import.meta.dirname, "public");
  return readdirSync(folder).map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));
}
