/** What stores data in a browser, also by Mantine's hooks, and what Chrome refuses together with it. */
const access =
  /\b(?:localStorage|sessionStorage|indexedDB|cookieStore|caches|BroadcastChannel|use(?:Local|Session)Storage|localStorageColorSchemeManager)\b|\bdocument\.cookie\b|\bnavigator\.(?:storage|locks|serviceWorker)\b/g;

/** The files that may, with what; each guards it. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  "client/src/transport/storage/browser-storage.ts": [
    ...["localStorage", "sessionStorage", "indexedDB", "document.cookie"],
  ],
  /** Runs before any module, so that the page is not drawn in the wrong colours. */
  "client/public/first-paint.js": ["localStorage"],
  "client/public/display-worker.js": ["caches"],
  "client/src/display/machine/service-worker.ts": ["navigator.serviceWorker"],
  "client/src/transport/browser-tab-lease.ts": ["navigator.locks"],
};

/** Where a file uses the browser's storage without the module that guards it. Comments don't count. */
export function unguardedStorage(file: string, text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|(?<![:"'`])\/\/.*$/gm, "");
  const found = [...code.matchAll(access)].map(([name]) => name);
  return found.filter((name) => !allowed[file]?.includes(name)).map((name) => `${file}: ${name}`);
}
