// The first of all: schemas are compiled when their modules are evaluated.
import "./app/configure-schemas.ts";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";
import { connectCore } from "./app/connect-core.ts";
import { LANGUAGE_KEY, startLanguage } from "./messages/start-language.ts";
import { reserveComposingKeys } from "./records/fields/composing-keys.ts";
import { loadAccount } from "./sync/calls/account.ts";
import { readFromBrowser } from "./transport/storage/browser-storage.ts";

/**
 * Browsers that translate a page put elements in the place of texts. React would throw where it removes such a text, or inserts before it, and
 * the screen would be gone. (Values are not translated, so that they stay live: `translate="no"`.)
 */
function allowTranslation(): void {
  const { removeChild, insertBefore } = Node.prototype;
  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    return child.parentNode === this ? (removeChild.call(this, child) as T) : child;
  };
  Node.prototype.insertBefore = function <T extends Node>(
    this: Node,
    added: T,
    at: Node | null,
  ): T {
    return insertBefore.call(this, added, at?.parentNode === this ? at : null) as T;
  };
}

/** Draws the page once its texts are there. Not a top-level await: that would split the page into many more files. */
async function start(): Promise<void> {
  await startLanguage(readFromBrowser(LANGUAGE_KEY));
  allowTranslation();
  reserveComposingKeys();
  connectCore();
  void loadAccount();
  const root = document.getElementById("root");
  if (!root) throw new Error("The page has no #root.");
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}

void start();
