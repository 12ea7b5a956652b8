import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { repositoryRoot } from "../suite/run-tool.ts";
import { unguardedStorage } from "./browser-storage.ts";

it("finds access to the browser's storage, but not in comments", () => {
  const text = `
    /** The browser's \`localStorage\`. */
    const a = window.localStorage.getItem("a"); // sessionStorage
    document.cookie = "a"; void navigator.locks.request("https://x", () => indexedDB);
  `;
  expect(unguardedStorage("client/src/x.ts", text)).toEqual([
    "client/src/x.ts: localStorage",
    "client/src/x.ts: document.cookie",
    "client/src/x.ts: navigator.locks",
    "client/src/x.ts: indexedDB",
  ]);
});

it("pages reach the browser's storage only by the module that guards it", () => {
  const files = globSync(["client/*.html", "client/public/*.js", "client/src/**/*.{ts,tsx}"], {
    cwd: repositoryRoot,
  });
  const found = files
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .flatMap((file) => unguardedStorage(file, readFileSync(join(repositoryRoot, file), "utf8")));
  expect(found).toEqual([]);
});
