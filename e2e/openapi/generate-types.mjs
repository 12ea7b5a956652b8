import { writeFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

/**
 * `node generate-types.mjs document.json types.ts`: the TypeScript types of an OpenAPI document, by openapi-typescript. It builds
 * them with the TypeScript compiler's API, which the native compiler of this repository does not have: it gets that of ts-morph.
 */
const compiler = new URL("./compiler-api.mjs", import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "typescript" ? { url: compiler, shortCircuit: true } : next(specifier, context),
});
const { default: openapiTypescript, astToString } = await import("openapi-typescript");
const [, , document = "", types = ""] = process.argv;
const tree = await openapiTypescript(pathToFileURL(document), { alphabetize: true });
writeFileSync(fileURLToPath(pathToFileURL(types)), astToString(tree));
