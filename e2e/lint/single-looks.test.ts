import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { repositoryRoot } from "../suite/run-tool.ts";
import { singleLooks } from "./single-looks.ts";

it("finds single looks at what may come, pauses and early keys, but not absences", () => {
  const text = `
    expect(await name.textContent()).toBe("Ana");
    expect(await name.count()).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);
    await expect.poll(() => name.textContent()).toBe("Ana");
    await page.waitForTimeout(100);
    await page.getByRole("menuitem", { name: "Hide" }).press("Enter");
  `;
  expect(singleLooks("e2e/browser/x.proof.ts", text)).toEqual([
    'e2e/browser/x.proof.ts: expect(await name.textContent()).toBe("Ana");',
    "e2e/browser/x.proof.ts: waitForTimeout(",
    'e2e/browser/x.proof.ts: getByRole("menuitem", { name: "Hide" }).press(',
  ]);
});

it("browser tests wait for what they expect", () => {
  const files = globSync("e2e/browser/*.{test,proof}.ts", { cwd: repositoryRoot });
  const found = files.flatMap((file) =>
    singleLooks(file, readFileSync(join(repositoryRoot, file), "utf8")),
  );
  expect(found).toEqual([]);
});
