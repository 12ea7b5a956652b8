import { posix } from "node:path";

/**
 * Which folder may import which (docs/ARCHITECTURE.md): itself, and what is listed here with everything below it. The most
 * specific entry counts. Tests may import anything.
 */
const folders: Readonly<Record<string, readonly string[]>> = {
  shared: [],
  "shared/error-texts": [],
  "shared/filter": ["shared/*", "shared/error-texts"],
  "shared/document": ["shared/*", "shared/filter"],
  "shared/model": ["shared/*", "shared/error-texts", "shared/filter", "shared/document"],
  "shared/policy": [
    "shared/*",
    "shared/error-texts",
    "shared/filter",
    "shared/document",
    "shared/model",
  ],
  "shared/protocol": [
    "shared/*",
    "shared/error-texts",
    "shared/filter",
    "shared/document",
    "shared/model",
    "shared/policy",
  ],
  "shared/import": ["shared/*", "shared/protocol"],

  server: ["shared", "server"],
  "server/config": ["shared", "server/store"],
  "server/messaging": ["shared"],
  "server/store": ["shared"],
  "server/policy": ["shared", "server/store"],
  "server/model": ["shared", "server/store", "server/policy", "server/auth", "server/tiles"],
  "server/auth": ["shared", "server/messaging", "server/store", "server/policy", "server/load"],
  "server/load": ["shared", "server/messaging"],
  "server/displays": ["shared", "server/messaging", "server/store", "server/policy", "server/auth"],
  "server/views": ["shared", "server/store", "server/policy", "server/auth", "server/commands"],
  "server/presence": [
    "shared",
    "server/messaging",
    "server/store",
    "server/policy",
    "server/auth",
    "server/load",
  ],
  "server/relay": ["shared", "server/messaging", "server/store", "server/policy", "server/auth"],
  "server/commands": ["shared", "server/store", "server/policy", "server/auth", "server/load"],
  "server/comments": [
    "shared",
    "server/messaging",
    "server/store",
    "server/policy",
    "server/auth",
    "server/commands",
  ],
  "server/notifications": [
    ...["shared", "server/messaging", "server/config", "server/store", "server/policy"],
    ...["server/auth", "server/commands", "server/comments"],
  ],
  "server/webhooks": [
    "shared",
    "server/messaging",
    "server/store",
    "server/policy",
    "server/auth",
    "server/load",
  ],
  "server/system": [
    "server/messaging",
    ...["shared", "server/config", "server/store", "server/policy", "server/auth", "server/relay"],
  ],
  "server/tiles": [
    "shared",
    "server/messaging",
    "server/store",
    "server/policy",
    "server/auth",
    "server/load",
    "server/relay",
  ],
  "server/import": ["shared", "server/policy", "server/auth", "server/commands"],
  "server/change-sets": [
    "shared",
    "server/store",
    "server/policy",
    "server/auth",
    "server/load",
    "server/commands",
    "server/import",
  ],
  "server/terminal": [
    ...["shared", "server/*", "server/store", "server/auth", "server/config", "server/relay"],
    "server/notifications",
  ],
  "server/http": ["shared", "server", "!server/socket"],
  "server/socket": ["shared", "server", "!server/http"],
  "server/demo": ["shared", "server", "client/package"],

  client: ["shared", "client/*"],
  "client/package": [
    "shared",
    "client/src/messages/*",
    "client/src/state",
    "client/src/sync",
    "client/src/transport",
  ],
  "client/src": ["shared", "client/src"],
  "client/src/messages": ["shared"],
  "client/src/state": ["shared", "client/src/transport/storage"],
  "client/src/transport": ["shared"],
  "client/src/sync": ["shared", "client/src/messages", "client/src/state", "client/src/transport"],
  "client/src/ui": [
    ...["shared", "client/src/messages", "client/src/state", "client/src/transport/rest"],
    "client/src/transport/storage",
  ],
  "client/src/access": [
    ...["shared", "client/src/messages", "client/src/state", "client/src/transport/rest"],
    "client/src/ui",
  ],
  "client/src/records": [
    ...["shared", "client/src/messages", "client/src/state", "client/src/transport/rest"],
    ...["client/src/transport/storage", "client/src/ui"],
  ],
  "client/src/tiles": ["shared", "client/src/messages", "client/src/records", "client/src/ui"],
  "client/src/display": [
    ...[
      "shared",
      "client/src/messages",
      "client/src/sync",
      "client/src/tiles",
      "client/src/transport",
    ],
  ],
  /** No feature imports another. */
  "client/src/features/:feature": [
    ...["shared", "client/src/messages", "client/src/state", "client/src/sync", "client/src/tiles"],
    ...["client/src/access", "client/src/records", "client/src/transport/rest", "client/src/ui"],
    "client/src/transport/storage",
  ],
};

/** Packages that not every folder may import, and the folders that may. */
const packages: Readonly<Record<string, readonly string[]>> = {
  pg: ["server/store"],
  kysely: ["server/store"],
  redis: ["server/relay/bus"],
  nodemailer: ["server/notifications"],
  jotai: ["client/src/state"],
  "socket.io-client": ["client/src/transport"],
  react: ["client", "!client/package", "!client/src/sync", "!client/src/transport"],
  "react-dom": ["client/src"],
  "@mantine": [
    ...["client/src/access", "client/src/app", "client/src/features", "client/src/records"],
    "client/src/ui",
  ],
  "@tabler": [
    ...["client/src/access", "client/src/app", "client/src/features", "client/src/records"],
    "client/src/ui",
  ],
  zod: ["shared", "server", "client", "!client/src/display"],
  "node:": ["server", "client", "!client/src"],
};

const importOf =
  /^(?:import |export |\} )[^"\n]*from "([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"\)/gm;

/** What a file imports and may not. `file` is its path in the repository. */
export function forbiddenImports(file: string, text: string): string[] {
  return [...text.matchAll(importOf)].flatMap(([, from, bare, dynamic]) => {
    const name = from ?? bare ?? dynamic ?? "";
    return isAllowed(file, name) ? [] : [`${file} imports ${name}`];
  });
}

function isAllowed(file: string, name: string): boolean {
  if (!name.startsWith(".")) {
    const rule = Object.keys(packages).find((one) => new RegExp(`^${one}(/|$|(?<=:))`).test(name));
    return rule === undefined || covers(packages[rule] ?? [], file);
  }
  const target = posix.join(posix.dirname(file), name);
  const own = ruleOf(file);
  return own === null || own.folder === ruleOf(target)?.folder || covers(own.allowed, target);
}

/** The most specific entry for a path, with the name of the feature filled in. */
function ruleOf(path: string): { folder: string; allowed: readonly string[] } | null {
  const [, feature] = /^client\/src\/features\/([^/]+)\//.exec(path) ?? [];
  const matching = Object.keys(folders)
    .map((key) => ({ key, folder: key.replace(":feature", feature ?? ":feature") }))
    .filter(({ folder }) => path.startsWith(`${folder}/`))
    .sort((a, b) => b.folder.length - a.folder.length);
  const [found] = matching;
  return found ? { folder: found.folder, allowed: folders[found.key] ?? [] } : null;
}

/** `a/*` means files directly in `a`; a later `!a/b` takes away. */
function covers(rules: readonly string[], path: string): boolean {
  return rules.reduce((isCovered, rule) => {
    const folder = rule.replace("!", "").replace("/*", "");
    const isIn = path.startsWith(`${folder}/`);
    if (rule.startsWith("!")) return isCovered && !isIn;
    return isCovered || (rule.endsWith("/*") ? posix.dirname(path) === folder : isIn);
  }, false);
}
