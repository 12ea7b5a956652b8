/** Delay before requesting a released lock again. */
const RETRY_MS = 10_000;

/**
 * Keeps the screen awake. Browsers grant the lock on HTTPS and localhost, and release it when the page is hidden or the
 * battery is low. Elsewhere the machine's power settings apply.
 */
export function holdWakeLock(): void {
  if (!("wakeLock" in navigator)) return;
  const request = () => {
    if (document.visibilityState !== "visible") return;
    navigator.wakeLock.request("screen").then(
      (lock) => lock.addEventListener("release", () => setTimeout(request, RETRY_MS)),
      () => {},
    );
  };
  document.addEventListener("visibilitychange", request);
  request();
}
