import { readFileSync } from "node:fs";
import { createConfig, lintFromString } from "@redocly/openapi-core";

/** `node lint-document.mjs document.json`: prints what Redocly's recommended rules find, a line for each. */
const [, , path = ""] = process.argv;
const config = await createConfig({
  extends: ["recommended"],
  // Two routes answer a browser with a redirect.
  rules: { "operation-2xx-response": "off" },
});
const found = await lintFromString({
  source: readFileSync(path, "utf8"),
  absoluteRef: path,
  config,
});
for (const { ruleId, message, location } of found) {
  console.log(`${ruleId}: ${message} (${location[0]?.pointer})`);
}
