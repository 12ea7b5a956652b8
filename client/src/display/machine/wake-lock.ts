/** Delay before requesting a released lock again. */
const RETRY_MS = 10_000;

/**
 * Keeps the screen awake. Browsers grant the lock on HTTPS and localhost, and release it when the page is hidden or the
 * battery is low. Elsewhere the machine's power settings apply.
 */
export function holdWakeLock(): void {
  if (!("wakeLock" in navigator)) return;
  let isHeld = false;
  const request = () => {
    if (isHeld || document.visibilityState !== "visible") return;
    isHeld = true;
    navigator.wakeLock.request("screen").then(
      (lock) =>
        lock.addEventListener("release", () => {
          isHeld = false;
          setTimeout(request, RETRY_MS);
        }),
      () => {
        isHeld = false;
      },
    );
  };
  document.addEventListener("visibilitychange", request);
  request();
}
