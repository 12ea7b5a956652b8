/** A machine that takes the lock away for a reason of its own is asked again, but not at once. */
const RETRY_MS = 10_000;

/**
 * Keeps the screen from going to sleep. Browsers grant it on https (and localhost) and take it back
 * whenever the page is hidden, or the battery is low; elsewhere the machine's own settings must do.
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
