import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { tempFolder } from "../provision/temp-folder.ts";

/**
 * The import directions of the folders (docs/ARCHITECTURE.md) are lint errors. For each rule, one line breaks
 * it and one obeys it, as if that line were in a file of the folder.
 */
const root = fileURLToPath(new URL("../..", import.meta.url));
const biome = `${root}/node_modules/@biomejs/biome/bin/biome`;

const cases: readonly [file: string, forbidden: string, allowed: string][] = [
  ["shared/filter/a.ts", "../model/b.ts", "./b.ts"],
  ["shared/filter/a.ts", "node:fs", "zod"],
  ["shared/document/a.ts", "../model/b.ts", "../filter/b.ts"],
  ["shared/model/a.ts", "../protocol/b.ts", "../filter/b.ts"],
  ["shared/model/a.ts", "../protocol/b.ts", "../document/b.ts"],
  ["shared/policy/a.ts", "../protocol/b.ts", "../model/b.ts"],
  ["shared/protocol/a.ts", "../../server/store/b.ts", "../model/b.ts"],
  ["shared/protocol/a.ts", "../contract/b.ts", "../policy/b.ts"],
  ["shared/contract/a.ts", "../../server/http/b.ts", "../protocol/b.ts"],
  ["server/store/a.ts", "../policy/b.ts", "../../shared/policy/b.ts"],
  ["server/store/a.ts", "redis", "kysely"],
  ["server/policy/a.ts", "../commands/b.ts", "../store/b.ts"],
  ["server/auth/a.ts", "kysely", "../store/database.ts"],
  ["server/commands/a.ts", "../relay/b.ts", "../policy/b.ts"],
  ["server/commands/a.ts", "pg", "../store/b.ts"],
  ["server/relay/a.ts", "../commands/b.ts", "../policy/b.ts"],
  ["server/relay/a.ts", "redis", "./bus/b.ts"],
  ["server/relay/bus/a.ts", "../../commands/b.ts", "redis"],
  ["server/tiles/a.ts", "../commands/b.ts", "../store/b.ts"],
  ["server/presence/a.ts", "../relay/b.ts", "redis"],
  ["server/displays/a.ts", "../tiles/b.ts", "../auth/b.ts"],
  ["server/views/a.ts", "../displays/b.ts", "../policy/b.ts"],
  ["server/http/a.ts", "../socket/b.ts", "../commands/b.ts"],
  ["server/socket/a.ts", "../http/b.ts", "../commands/b.ts"],
  ["server/main.ts", "../client/src/b.ts", "./http/b.ts"],
  ["client/src/main.tsx", "../../server/b.ts", "./app/b.tsx"],
  ["client/src/app/a.tsx", "jotai/react", "../features/grid/b.tsx"],
  ["client/src/state/a.ts", "../sync/b.ts", "jotai/vanilla"],
  ["client/src/transport/a.ts", "../sync/b.ts", "socket.io-client"],
  ["client/src/sync/a.ts", "react", "../transport/b.ts"],
  ["client/src/sync/a.ts", "socket.io-client", "../state/b.ts"],
  ["client/src/ui/a.tsx", "../features/grid/b.tsx", "react"],
  ["client/src/tiles/a.tsx", "@mantine/core", "react"],
  ["client/src/tiles/a.tsx", "../sync/b.ts", "../ui/fields/b.ts"],
  ["client/src/display/core/a.ts", "zod", "../../transport/b.ts"],
  ["client/src/display/core/a.ts", "../../features/grid/b.tsx", "../../sync/clock.ts"],
  ["client/src/features/grid/a.tsx", "../panel/b.tsx", "../../ui/b.tsx"],
  ["client/src/features/grid/cells/a.tsx", "../../panel/b.tsx", "../range/b.ts"],
];

const paths = cases.map(([file], index) => ({
  forbidden: join(dirname(file), `forbidden-${index}${extname(file)}`),
  allowed: join(dirname(file), `allowed-${index}${extname(file)}`),
}));
let reported: Set<string>;

/** Lints all the lines at once, in a folder with nothing but them and the project's configuration. */
function lintAll(folder: string): Set<string> {
  const options = ["--reporter=json", "--max-diagnostics=none", "--vcs-enabled=false"];
  const args = [biome, "lint", "--only=style/noRestrictedImports", ...options, "."];
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { category: string; location: { path: string } }[];
  };
  return new Set(diagnostics.map((diagnostic) => diagnostic.location.path));
}

beforeAll(async () => {
  const folder = await tempFolder();
  copyFileSync(join(root, "biome.json"), join(folder.path, "biome.json"));
  for (const [index, [file, forbidden, allowed]] of cases.entries()) {
    mkdirSync(join(folder.path, dirname(file)), { recursive: true });
    writeFileSync(join(folder.path, paths[index]?.forbidden ?? ""), `import "${forbidden}";\n`);
    writeFileSync(join(folder.path, paths[index]?.allowed ?? ""), `import "${allowed}";\n`);
  }
  reported = lintAll(folder.path);
  folder.drop();
});

describe("import directions", () => {
  it.each(cases.map((row, index) => [...row, index] as const))(
    "%s may not import %s, and may import %s",
    (_file, _forbidden, _allowed, index) => {
      expect(reported).toContain(paths[index]?.forbidden);
      expect(reported).not.toContain(paths[index]?.allowed);
    },
  );
});
