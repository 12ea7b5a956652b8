/**
 * Registers a service worker that caches the page and its files, so that a screen that starts while the server is
 * unreachable shows its last values with their age. Browsers allow it on HTTPS and localhost only; without it the
 * display needs the server to start.
 */
export function registerServiceWorker(): void {
  if (!("serviceWorker" in navigator) || !import.meta.env.PROD) return;
  navigator.serviceWorker.register("/display-worker.js", { scope: "/display" }).catch(() => {});
}
