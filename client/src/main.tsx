import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { config } from "zod";
import { App } from "./app/app.tsx";
import { connectCore } from "./app/connect-core.ts";
import { LANGUAGE_KEY, startLanguage } from "./messages/start-language.ts";
import { reserveComposingKeys } from "./records/fields/composing-keys.ts";
import { loadAccount } from "./sync/calls/account.ts";
import { readFromBrowser } from "./transport/storage/browser-storage.ts";

// Compiled schemas need `eval`, which the content security policy refuses: do not even try.
config({ jitless: true });

/** Draws the page once its texts are there. Not a top-level await: that would split the page into many more files. */
async function start(): Promise<void> {
  await startLanguage(readFromBrowser(LANGUAGE_KEY));
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
