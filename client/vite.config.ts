import { resolve } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { parseMessages } from "./parse-messages.ts";
import { precompress } from "./precompress.ts";
import { wallSchemas } from "./wall-schemas.ts";

/**
 * The browser half. In development the API and the socket are proxied to the server, so that the
 * page and its cookies share one origin, as they do in production.
 */
const server = process.env.WATCHFLOOR_SERVER ?? `http://127.0.0.1:${process.env.PORT ?? 3000}`;

interface Modules {
  getModuleInfo(id: string): { importedIds: string[] } | null;
}
const reachedBy = new Map<string, Set<string>>();

/** Whether a page loads a module at once, through whatever its modules import. */
function isLoadedBy(page: "index" | "display", id: string, modules: Modules): boolean {
  let reached = reachedBy.get(page);
  if (!reached) {
    reached = new Set([resolve(import.meta.dirname, `${page}.html`)]);
    for (const module of reached) {
      for (const next of modules.getModuleInfo(module)?.importedIds ?? []) reached.add(next);
    }
    reachedBy.set(page, reached);
  }
  return reached.has(id);
}

/**
 * Leaves out what the schema library has for making JSON schemas (4.4 kB compressed of the first load): each of its classes refers to that, so
 * the bundler does not know that only the server and the build use it. What else the classes need of it stays: the `minLength` of a string.
 * Where the library's text differs from this, it is bundled whole, and the budget in bundle-size.ts is exceeded.
 */
function withoutJsonSchemas(): Plugin {
  const from = (what: string, file: string) => `import ${what} from "../core/${file}.js";`;
  const methods = ["createStandardJSONSchemaMethod", "createToJSONSchemaMethod"];
  const absent = '() => { throw new Error("The browser makes no JSON schemas."); }';
  const needed = `${from("{ aggregateChecks }", "json-schema-processors")} const processors = { aggregateChecks };`;
  return {
    name: "watchfloor:without-json-schemas",
    apply: "build",
    transform(code, id) {
      if (!/[\\/]zod[\\/]v4[\\/]classic[\\/]schemas\.js$/.test(id)) return null;
      const slim = code
        .replace(from("* as processors", "json-schema-processors"), needed)
        .replace(
          from(`{ ${methods.join(", ")} }`, "to-json-schema"),
          methods.map((name) => `const ${name} = ${absent};`).join(" "),
        )
        .replaceAll(/^ *inst\._zod\.processJSONSchema = .*;$/gm, "");
      return { code: slim, map: null };
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), parseMessages(), wallSchemas(), withoutJsonSchemas(), precompress()],
  server: {
    proxy: {
      "/api": server,
      "^/sign-in/": server,
      "/socket.io": { target: server, ws: true },
    },
  },
  build: {
    outDir: "dist",
    sourcemap: false,
    target: "es2024",
    // The policy allows scripts and images from this origin only: nothing becomes a data: address.
    assetsInlineLimit: 0,
    // The grid is one large chunk by intent; what counts is weighed by bundle-size.ts.
    chunkSizeWarningLimit: 1_200,
    rolldownOptions: {
      input: {
        console: resolve(import.meta.dirname, "index.html"),
        display: resolve(import.meta.dirname, "display.html"),
      },
      output: {
        // What a page loads at once is two chunks: what console and wall have in common, and the rest of the console. Left to
        // itself, the bundler splits it by which later screens share what: into twenty chunks that compress worse (11 kB of
        // 300) and change with any import.
        codeSplitting: {
          groups: [
            { name: "react", test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ },
            {
              name: (id, modules) =>
                isLoadedBy("display", id, modules) && isLoadedBy("index", id, modules)
                  ? "start"
                  : null,
              tags: ["$initial"],
              debugName: "start",
            },
            {
              name: (id, modules) => (isLoadedBy("index", id, modules) ? "page" : null),
              tags: ["$initial"],
              debugName: "page",
            },
          ],
        },
      },
    },
  },
});
