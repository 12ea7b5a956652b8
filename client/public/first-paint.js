// Runs before the first paint, so that a user who chose dark never sees a white flash. A file of
// its own because the content security policy allows no inline script. The keys are those of
// src/app/color-scheme.ts and src/state/preferences.ts.
(() => {
  const root = document.documentElement;
  let scheme = "auto";
  let density = "comfortable";
  try {
    scheme = localStorage.getItem("watchfloor.scheme") || scheme;
    density = localStorage.getItem("watchfloor.density") || density;
  } catch {
    // Storage is blocked: the system's scheme is good enough.
  }
  const dark =
    scheme === "dark" || (scheme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  root.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light");
  root.setAttribute("data-density", density === "compact" ? "compact" : "comfortable");
})();
