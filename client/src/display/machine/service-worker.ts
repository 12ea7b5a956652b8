/**
 * A service worker keeps the page and its files, so that a screen that is switched on while the server
 * is away shows its last figures, with their age, instead of the browser's error page. Browsers allow
 * it on https and localhost only; without it the display works, but needs the server to start.
 */
export function registerServiceWorker(): void {
  if (!("serviceWorker" in navigator) || !import.meta.env.PROD) return;
  navigator.serviceWorker.register("/display-worker.js", { scope: "/display" }).catch(() => {});
}
