/** Delay before requesting a lock again that was released or refused. */
const RETRY_MS = 10_000;

/**
 * Keeps the screen awake. Browsers grant the lock on HTTPS and localhost, and release or refuse it when the page is hidden
 * or the battery is low. Elsewhere the machine's power settings apply.
 */
export function holdWakeLock(): void {
  if (!("wakeLock" in navigator)) return;
  let isHeld = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const retry = () => {
    isHeld = false;
    clearTimeout(timer);
    timer = setTimeout(request, RETRY_MS);
  };
  const request = () => {
    if (isHeld || document.visibilityState !== "visible") return;
    isHeld = true;
    navigator.wakeLock
      .request("screen")
      .then((lock) => lock.addEventListener("release", retry), retry);
  };
  document.addEventListener("visibilitychange", request);
  request();
}
