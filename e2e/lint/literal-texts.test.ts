import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { literalContents, literalTexts } from "./literal-texts.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Folders whose texts are in the catalogue (client/src/messages). New folders are listed at once. */
const translated = [
  "access",
  "app",
  "display/view",
  "features/activity",
  "features/board",
  "features/changes",
  "features/dashboard",
  "features/displays",
  "features/grid",
  "features/import",
  "features/login",
  "features/me",
  "features/model",
  "features/not-found",
  "features/record",
  "features/roles",
  "features/security",
  "features/setup",
  "features/shell",
  "features/system",
  "features/tokens",
  "features/users",
  "features/wallboards",
  "features/webhooks",
  "records",
  "state",
  "sync",
  "tiles",
  "transport",
  "ui",
];

describe("interface texts", () => {
  it.each(translated)("of %s are in the catalogue", (folder) => {
    const files = globSync(`client/src/${folder}/**/*.{ts,tsx}`, { cwd: root });
    expect(files.length).toBeGreaterThan(0);
    const found = files
      .filter((file) => !/\.test\.tsx?$|\/testing\//.test(file))
      .flatMap((file) =>
        literalTexts(readFileSync(`${root}/${file}`, "utf8")).map((text) => `${file}: ${text}`),
      );
    expect(found).toEqual([]);
  });

  it("of style sheets are in the catalogue", () => {
    const files = globSync("client/src/**/*.css", { cwd: root });
    expect(files.length).toBeGreaterThan(0);
    const found = files.flatMap((file) => literalContents(readFileSync(`${root}/${file}`, "utf8")));
    expect(found).toEqual([]);
    expect(literalContents(`a::after { content: "✓ "; } b::after { content: 'New row' }`)).toEqual([
      "New row",
    ]);
  });

  it.each([
    ["<p>Sign in</p>", ["Sign in"]],
    ["<p>{n} rows</p>", ["rows"]],
    ['<Input label="Email" />', ["Email"]],
    ['<Input aria-label="close" />', ["close"]],
    ['<p>{busy ? "Saving" : name}</p>', ["Saving"]],
    ["<p>{`rows moved`}</p>", ["rows moved"]],
    ['const text = "Sign in again";', ["Sign in again"]],
    ['<Input {...{ color: "red", "aria-label": "close" }} />', ["close"]],
    ['<Input placeholder="xxxx-xxxx" />', []],
    ['<Input name="email" size="md" autoComplete="one-time-code" />', []],
    ['const key = "second_factor_required";', []],
    ['const typing = "input, textarea";', []],
    ['throw new Error("No account is loaded");', []],
    ["<p>{messages.signIn()} · {name}</p>", []],
  ])("%s holds the literal texts %j", (code, texts) => {
    expect(literalTexts(code)).toEqual(texts);
  });
});
