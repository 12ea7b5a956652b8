import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import {
  type BundleSize,
  FIRST_LOAD_BUDGET_BYTES,
  sumBytes,
  WALL_BUDGET_BYTES,
  weighBundle,
} from "../../client/bundle-size.ts";

const require = createRequire(import.meta.url);
const dist = resolve(import.meta.dirname, "../../client/dist");
let size: BundleSize;

beforeAll(() => {
  size = weighBundle(dist);
});

describe("the built client", () => {
  it("loads in at most 278 kB compressed before the grid", () => {
    const total = sumBytes(size.firstLoad);
    const lines = size.firstLoad.map(
      ({ file, bytes }) => `${bytes.toString().padStart(8)}  ${file}`,
    );
    process.stdout.write(`first load, bytes compressed: ${total}\n${lines.join("\n")}\n`);
    expect(total).toBeLessThanOrEqual(FIRST_LOAD_BUDGET_BYTES);
  });

  it("is at most 130 kB compressed for the wall, without any component or schema library", () => {
    const { firstLoad } = weighBundle(dist, "display.html");
    const total = sumBytes(firstLoad);
    const lines = firstLoad.map(({ file, bytes }) => `${bytes.toString().padStart(8)}  ${file}`);
    process.stdout.write(`wall, bytes compressed: ${total}\n${lines.join("\n")}\n`);
    expect(total).toBeLessThanOrEqual(WALL_BUDGET_BYTES);
    const code = firstLoad.map(({ file }) => readFileSync(resolve(dist, file), "utf8")).join("\n");
    expect([...classNames(code)]).toEqual([]);
    expect(code).not.toContain("~standard");
  });

  // On an unattended screen the development build fills the memory with performance entries.
  it("holds React's production build and not its development build", () => {
    const sign = "Download the React DevTools";
    const folder = resolve(require.resolve("react-dom/package.json"), "../cjs");
    const development = readFileSync(resolve(folder, "react-dom-client.development.js"), "utf8");
    expect(development).toContain(sign);
    const scripts = readdirSync(resolve(dist, "assets")).filter((file) => file.endsWith(".js"));
    const texts = scripts.map((file) => readFileSync(resolve(dist, "assets", file), "utf8"));
    expect(scripts.filter((_, index) => texts[index]?.includes(sign))).toEqual([]);
    expect(texts.some((text) => text.includes("https://react.dev/errors/"))).toBe(true);
  });

  it("has the styles of every component that its scripts draw", () => {
    const built = (ending: string) =>
      readdirSync(resolve(dist, "assets"))
        .filter((file) => file.endsWith(ending))
        .map((file) => readFileSync(resolve(dist, "assets", file), "utf8"))
        .join("\n");
    const fullStyles = readFileSync(require.resolve("@mantine/core/styles.css"), "utf8");
    const styled = classNames(fullStyles);
    const present = classNames(built(".css"));
    const drawn = [...classNames(built(".js"))].filter((name) => styled.has(name));
    expect(drawn.length).toBeGreaterThan(100);
    expect(drawn.filter((name) => !present.has(name)).map(componentOf)).toEqual([]);
  });

  it("has in its first load the styles of every component that this draws", () => {
    const texts = (ending: string) =>
      size.firstLoad
        .filter(({ file }) => file.endsWith(ending))
        .map(({ file }) => readFileSync(resolve(dist, file), "utf8"))
        .join("\n");
    const styled = classNames(readFileSync(require.resolve("@mantine/core/styles.css"), "utf8"));
    const present = classNames(texts(".css"));
    const drawn = [...classNames(texts(".js"))].filter((name) => styled.has(name));
    expect(drawn.length).toBeGreaterThan(50);
    expect(drawn.filter((name) => !present.has(name)).map(componentOf)).toEqual([]);
  });

  it("carries neither source maps nor inline scripts", () => {
    const files = [...size.firstLoad, ...size.later].map(({ file }) => file);
    expect(files.filter((file) => file.endsWith(".map"))).toEqual([]);
    const html = readFileSync(resolve(dist, "index.html"), "utf8");
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/);
  });
});

/** The hashed class names of the component library in a text. */
function classNames(text: string): Set<string> {
  return new Set(text.match(/\bm_[0-9a-f]{6,8}\b/g));
}

/** The style sheet to import for a class name, for the failure message. */
function componentOf(className: string): string {
  const folder = resolve(require.resolve("@mantine/core/styles.css"), "../styles");
  const sheets = readdirSync(folder).filter((file) => file.endsWith(".layer.css"));
  const holds = (file: string) => readFileSync(resolve(folder, file), "utf8").includes(className);
  return `import ${sheets.find(holds)} in client/src/app/mantine-styles.ts, or screen-styles.ts if the first load has none`;
}
