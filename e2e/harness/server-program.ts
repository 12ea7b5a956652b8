import { createHash } from "node:crypto";
import { globSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isFullProof } from "../provision/proof-size.ts";

/**
 * The program `watchfloor` for tests that start it in a process: bundled into a few files, because loading its 1,700 modules is half
 * of the processor time of a start. The bundle is made by the first test that needs it, after each change of the source.
 */
const root = fileURLToPath(new URL("../..", import.meta.url));
const entries = {
  main: join(root, "server/main.ts"),
  withLimits: join(root, "e2e/harness/server-with-limits.ts"),
  forTests: join(root, "e2e/harness/server-for-tests.ts"),
} as const;
const bundles = join(root, ".cache/server-bundles");
const lockFile: string = pathToFileURL(join(root, "server/bootstrap/with-lock.mjs")).href;
const BUNDLE_LIFETIME_MS = 86_400_000;
const DEMO = '"./demo/demo-command.ts"';

let bundled: Promise<string> | undefined;

/** The file to start: benches and proofs take the source, as `npm start` does. */
export async function serverProgram(entry: keyof typeof entries): Promise<string> {
  if (!process.env.VITEST || isFullProof) return entries[entry];
  bundled ??= bundle();
  return join(await bundled, `${entry}.js`);
}

/** The folder of the current source's bundle. One process makes it, the others wait; it gets its name when it is complete. */
async function bundle(): Promise<string> {
  const folder = join(bundles, fingerprint());
  if (isFolder(folder)) return folder;
  const { withLock } = (await import(lockFile)) as {
    withLock(root: string, work: () => Promise<void>): Promise<void>;
  };
  await withLock(root, async () => {
    if (isFolder(folder)) return;
    removeOld();
    const incomplete = join(bundles, "incomplete");
    rmSync(incomplete, { recursive: true, force: true });
    await writeBundle(incomplete);
    renameSync(incomplete, folder);
  });
  return folder;
}

function fingerprint(): string {
  const files = globSync("{server,shared}/**/*.ts", {
    cwd: root,
    exclude: (name) => /(^|\/)(node_modules|testing)$|\.test\.ts$/.test(name),
  }).sort();
  const hash = createHash("sha256").update(root);
  for (const file of [...files, "package-lock.json", ...harness]) {
    hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
  }
  return hash.digest("hex").slice(0, 24);
}

const harness = [
  "server-program.ts",
  "server-with-limits.ts",
  "server-for-tests.ts",
  "limits-of-environment.ts",
  "test-config.ts",
  "cheap-passwords.ts",
].map((name) => `e2e/harness/${name}`);

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Another test run may still use the bundle of an hour ago. */
function removeOld(): void {
  for (const path of globSync(`${bundles}/*`)) {
    if (Date.now() - statSync(path).mtimeMs > BUNDLE_LIFETIME_MS) {
      rmSync(path, { recursive: true, force: true });
    }
  }
}

async function writeBundle(dir: string): Promise<void> {
  const { rolldown } = await import("rolldown");
  const building = await rolldown({
    input: entries,
    platform: "node",
    cwd: root,
    external: ["pg-native"],
    // The modules run as they stand: nothing is left out because it seems to have no effect.
    treeshake: false,
    plugins: [{ name: "source-addresses", transform: withSourceAddresses }],
  });
  await building.write({ dir, format: "esm", keepNames: true });
  await building.close();
}

/** Files that a module finds beside itself are found from the bundle, and so is the demo, which no import names. */
function withSourceAddresses(code: string, id: string): string {
  const { href } = pathToFileURL(id);
  const replaced = code
    .replaceAll("import.meta.url", JSON.stringify(href))
    .replaceAll("import.meta.dirname", JSON.stringify(dirname(id)));
  if (id !== entries.main) return replaced;
  return replaced.replace(DEMO, JSON.stringify(new URL(JSON.parse(DEMO), href)));
}
