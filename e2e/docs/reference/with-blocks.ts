import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../suite/run-tool.ts";
import { blocks } from "./blocks.ts";

const block = /(<!-- generated: ([\w ]+) -->\n)[\s\S]*?(<!-- end -->)/g;

export interface GeneratedGuide {
  path: string;
  /** As it is stored. */
  text: string;
  /** With its blocks made anew. */
  current: string;
}

/** The guides that have generated blocks. Throws for a block that nothing generates. */
export function generatedGuides(): GeneratedGuide[] {
  return globSync("docs/**/*.md", { cwd: repositoryRoot }).flatMap((name) => {
    const path = join(repositoryRoot, name);
    const text = readFileSync(path, "utf8");
    const current = text.replace(block, (_all, begin: string, of: string, end: string) => {
      const make = blocks[of];
      if (!make) throw new Error(`${name}: nothing generates "${of}".`);
      return `${begin}${make()}${end}`;
    });
    return block.test(text) ? [{ path, text, current }] : [];
  });
}
