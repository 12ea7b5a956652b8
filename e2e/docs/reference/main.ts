import { writeFileSync } from "node:fs";
import { generatedGuides } from "./with-blocks.ts";

/** `npm run docs`: writes the generated blocks of the guides. */
for (const { path, text, current } of generatedGuides()) {
  if (current === text) continue;
  writeFileSync(path, current);
  console.log(`${path} is written.`);
}
