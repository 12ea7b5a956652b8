import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { settings } from "../../server/config/settings.ts";
import { repositoryRoot } from "../suite/run-tool.ts";

const read = (path: string) => readFileSync(join(repositoryRoot, path), "utf8");
const compose = read("docker-compose.yml");

it("requires every secret of docker-compose.yml, and documents every variable", () => {
  const used = [...compose.matchAll(/\$\{(\w+)(:[?-])?/g)];
  const required = used.filter(([, , kind]) => kind === ":?").map(([, name]) => name);
  expect(required.sort()).toEqual([
    "DATABASE_PASSWORD",
    "POSTGRES_PASSWORD",
    "PUBLIC_URL",
    "REDIS_PASSWORD",
    "WATCHFLOOR_SECRET_KEY",
  ]);
  const guide = read("docs/guides/deploying.md");
  for (const [, name] of used) expect(guide).toContain(`\`${name}\``);
});

it("gives the servers of docker-compose.yml no variable that they don't know", () => {
  const [, environment = ""] = /^ {2}environment:\n((?: {4}.*\n)+)/m.exec(compose) ?? [];
  const names = [...environment.matchAll(/^ {4}(\w+):/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(8);
  expect(Object.keys(settings)).toEqual(expect.arrayContaining(names));
});
