import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { repositoryRoot } from "../suite/run-tool.ts";
import { parseSeed } from "./test-seed.ts";

describe("the seed of randomised tests", () => {
  it("is an integer, or the test's own if none is given", () => {
    expect(["-17", "20261124"].map(parseSeed)).toEqual([-17, 20_261_124]);
    expect([undefined, ""].map(parseSeed)).toEqual([undefined, undefined]);
    for (const text of ["seventeen", "1.5", "1e3x"]) expect(() => parseSeed(text)).toThrow(text);
  });

  it("is read in one place only, so that the same variable repeats every test", () => {
    const files = globSync("{bench,client,e2e,server,shared}/**/*.{ts,tsx}", {
      cwd: repositoryRoot,
      exclude: (name) => /node_modules|dist/.test(String(name)),
    });
    const readers = files.filter((file) =>
      /env\??\.\w*SEED\b/.test(readFileSync(`${repositoryRoot}/${file}`, "utf8")),
    );
    // The client's tests are compiled without Node's types.
    expect(readers.sort()).toEqual([
      "client/src/sync/convergence.test.ts",
      "e2e/provision/test-seed.ts",
    ]);
  });
});
