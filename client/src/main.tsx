import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { config } from "zod";
import { App } from "./app/app.tsx";
import { keepCore } from "./app/keep-core.ts";
import { loadAccount } from "./sync/calls/account.ts";

// Compiled schemas need `eval`, which the content security policy refuses: do not even try.
config({ jitless: true });

keepCore();
void loadAccount();

const root = document.getElementById("root");
if (!root) throw new Error("The page has no #root.");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
