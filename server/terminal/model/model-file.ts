import { readFile, writeFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import type { Model } from "../../../shared/model/model.ts";
import { resolveFromCallerFolder } from "../command.ts";
import { UsageError } from "../server-call.ts";
import { writeOutput } from "../write-output.ts";

/** The model as a file for git: one JSON document, the same text for the same model. */

/**
 * Without what an installation stores for itself (columns, keys of the log, former names). Ids stay: they identify a renamed
 * field.
 */
export function writeModel({ version, zone, tables }: Model): string {
  const plain = tables.map(({ formerly: _, fields, ...table }) => ({
    ...table,
    fields: fields.map(({ column: __, logKey: ___, formerly: ____, ...field }) => field),
  }));
  const document = { version, ...(zone !== undefined && { zone }), tables: plain };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** The text of a file, or of standard input. */
export async function readText(file: string): Promise<string> {
  if (file === "-") return text(process.stdin);
  try {
    return await readFile(resolveFromCallerFolder(file), "utf8");
  } catch (error) {
    throw new UsageError(`${file} can't be read: ${(error as Error).message}`);
  }
}

/** A document as far as the command needs it; the server validates the rest. */
export function parseModel(file: string, content: string): { version?: number } & object {
  try {
    const document: unknown = JSON.parse(content);
    if (typeof document === "object" && document !== null && !Array.isArray(document)) {
      return document;
    }
  } catch (error) {
    throw new UsageError(`${file} is no JSON: ${(error as Error).message}`);
  }
  throw new UsageError(`${file} is no model: it must be one JSON object.`);
}

export async function saveText(file: string, content: string): Promise<void> {
  if (file === "-") await writeOutput(content);
  else await writeFile(resolveFromCallerFolder(file), content);
}

/** Sets the file's version to the published one; all else in it is unchanged, also values of that name in a default. */
export function withVersion(content: string, version: number): string {
  const wanted = JSON.stringify({ ...JSON.parse(content), version });
  for (const { index, 0: found, 1: name } of content.matchAll(/("version"\s*:\s*)\d+/g)) {
    const renewed = content.slice(0, index) + name + version + content.slice(index + found.length);
    if (JSON.stringify(JSON.parse(renewed)) === wanted) return renewed;
  }
  return content;
}
