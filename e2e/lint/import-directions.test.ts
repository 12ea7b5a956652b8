import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { repositoryRoot } from "../suite/run-tool.ts";
import { forbiddenImports } from "./import-rules.ts";

/** The product without its tests, which may import anything. */
function productFiles(): string[] {
  const files = globSync("{client,server,shared}/**/*.{ts,tsx}", { cwd: repositoryRoot });
  return files.filter((file) => !/node_modules|\/(dist|testing)\/|\.test\.tsx?$/.test(file));
}

const cases: readonly [file: string, forbidden: string, allowed: string][] = [
  ["shared/filter/a.ts", "../model/b.ts", "./b.ts"],
  ["shared/filter/a.ts", "node:fs", "zod"],
  ["shared/document/a.ts", "../model/b.ts", "../filter/b.ts"],
  ["shared/model/a.ts", "../protocol/b.ts", "../filter/b.ts"],
  ["shared/model/a.ts", "../protocol/b.ts", "../document/b.ts"],
  ["shared/policy/a.ts", "../protocol/b.ts", "../model/b.ts"],
  ["shared/protocol/a.ts", "../../server/store/b.ts", "../model/b.ts"],
  ["shared/protocol/a.ts", "../../server/http/b.ts", "../policy/b.ts"],
  ["server/store/a.ts", "../messaging/b.ts", "../../shared/policy/b.ts"],
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
  ["server/presence/a.ts", "../relay/b.ts", "../auth/b.ts"],
  ["server/presence/a.ts", "redis", "../store/b.ts"],
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
  ["client/package/a.ts", "../src/ui/b.ts", "../src/sync/b.ts"],
  ["client/src/features/grid/cells/a.tsx", "../../panel/b.tsx", "../range/b.ts"],
];

describe("import directions", () => {
  it("are those of the architecture in every file of the product", () => {
    const files = productFiles();
    expect(files.length).toBeGreaterThan(500);
    const found = files.flatMap((file) =>
      forbiddenImports(file, readFileSync(`${repositoryRoot}/${file}`, "utf8")),
    );
    expect(found).toEqual([]);
  });

  it.each(cases)("%s may not import %s, and may import %s", (file, forbidden, allowed) => {
    expect(forbiddenImports(file, `import { a } from "${forbidden}";`)).toHaveLength(1);
    expect(forbiddenImports(file, `import {\n  a,\n} from "${forbidden}";`)).toHaveLength(1);
    expect(forbiddenImports(file, `const b = await import("${forbidden}");`)).toHaveLength(1);
    expect(forbiddenImports(file, `import { a } from "${allowed}";`)).toEqual([]);
  });
});
