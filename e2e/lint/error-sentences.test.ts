import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { errorTexts } from "../../shared/error-texts/error-texts.ts";
import { modelTexts } from "../../shared/error-texts/model-texts.ts";
import { planTexts } from "../../shared/error-texts/plan-texts.ts";
import { rowTexts } from "../../shared/error-texts/row-texts.ts";
import { repositoryRoot } from "../suite/run-tool.ts";

/** Files whose errors only programs or operators cause: their sentences are not translated. */
const englishOnly: Readonly<Record<string, string>> = {
  "server/commands/read-activity.ts": "`before` that is no `next`, or a record without its table",
  "server/commands/read-changes.ts": "a position that is none",
  "server/commands/record-cursor.ts": "a cursor that is none",
  "server/http/create-router.ts": "a request from another site",
  "server/http/edit-conditions.ts": "an Idempotency-Key that is too long",
  "server/http/operations.ts": "metrics without their token",
  "server/http/parse.ts": "a body or a query that does not fit its schema",
  "server/http/routes/imports.ts": "an upload of another content type",
  "server/http/routes/record-edits.ts": "a call by key without the key",
  "server/policy/to-refusal.ts": "a body that is no JSON",
  "server/socket/dispatch.ts": "a message that does not fit its schema",
  "server/socket/handshake.ts": "a connection from another site",
  "server/store/current-model.ts": "a stored model that is none: for operators",
  "server/store/schema/migrate.ts": "the database of another version: for operators",
  "server/tiles/wallboards/patch-wallboard.ts": "a wallboard that does not fit its schema",
};

const sources = globSync("{shared,server,client}/**/*.{ts,tsx}", {
  cwd: repositoryRoot,
  exclude: (path) => /node_modules|\/dist\b/.test(path),
})
  .filter((file) => !/\.test\.tsx?$|\/testing\/|error-texts\//.test(file))
  .map((file) => ({ file, text: readFileSync(`${repositoryRoot}/${file}`, "utf8") }));

const filesWith = (form: RegExp) =>
  sources.filter(({ text }) => form.test(text)).map(({ file }) => file);

describe("sentences of errors", () => {
  it("are English only where no screen causes them", () => {
    expect(filesWith(/\benglishOnly\(/).sort()).toEqual(Object.keys(englishOnly).sort());
  });

  it("are not written in place of what a customer wrote", () => {
    expect(filesWith(/\bquote\(\s*["'`]/)).toEqual([]);
    expect(filesWith(/as EnglishText\b/)).toEqual([]);
  });

  it("are all used", () => {
    const code = sources.map(({ text }) => text).join("\n");
    const forms = [...code.matchAll(/`(\w+\.\w*)\$\{[^}]*\}(\w*)`/g)].map(
      ([, before, after]) => new RegExp(`^${before}\\w+${after}$`),
    );
    const unused = Object.keys({ ...errorTexts, ...modelTexts, ...planTexts, ...rowTexts }).filter(
      (key) => !code.includes(`"${key}"`) && !forms.some((form) => form.test(key)),
    );
    expect(unused).toEqual([]);
  });
});
