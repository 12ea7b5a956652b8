import { existsSync, globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { allProofs, changedProofs, coveredFolders } from "./changed-proofs.ts";
import { isInPart, proofParts } from "./proof-parts.ts";
import { repositoryRoot } from "./run-tool.ts";

/** The names of a file's parts; those that share it by the names of its tests count as one. */
const partsOf = (file: string) => {
  const parts = proofParts.filter((part) => isInPart(part, file));
  return [...new Set(parts.map(({ name, tests }) => (tests ? "shared" : name)))];
};

function withLongForm(): string[] {
  const exclude = (name: string) => name === "node_modules";
  return globSync("{server,e2e,bench}/**/*.test.ts", { cwd: repositoryRoot, exclude }).filter(
    (file) =>
      /proofSize\(|someCases\(|isFullProof \?|each\(databases\)/.test(
        readFileSync(`${repositoryRoot}/${file}`, "utf8"),
      ),
  );
}

describe("the parts of the proof", () => {
  it("hold every fine-grained test and every long form once", () => {
    const files = [...allProofs(), ...withLongForm()];
    const wrong = files.map((file) => [file, partsOf(file)] as const);
    expect(files.length).toBeGreaterThan(60);
    expect(wrong.filter(([, parts]) => parts.length !== 1)).toEqual([]);
  });

  it("have fine-grained tests that name the folders which they cover", () => {
    for (const file of allProofs()) {
      const folders = coveredFolders(file);
      for (const folder of folders)
        expect([file, folder, existsSync(`${repositoryRoot}/${folder}`)]).toEqual([
          file,
          folder,
          true,
        ]);
    }
  });
});

describe("the fine-grained tests of folders that changed", () => {
  it("run beside the others, in turn, as many as fit", () => {
    const changed = ["client/src/features/grid/grid-controller.ts"];
    const [first, second] = [0, 1].map((seed) => [...changedProofs(seed, changed)]);
    expect(first?.length).toBeGreaterThan(3);
    expect(first?.[0]).not.toBe(second?.[0]);
    expect([...changedProofs(0, ["docs/README.md"])]).toEqual([]);
  });
});
