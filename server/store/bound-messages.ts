/** The number of notifications handled at once within `INTERVAL_MS`. */
const MESSAGES_PER_INTERVAL = 50;
const INTERVAL_MS = 100;
/** During a flood the same number is handled in this time. */
const FLOOD_INTERVAL_MS = 1_000;

/**
 * Whoever may connect to the database may notify, as often as they like. Notifications beyond the bound are
 * not handled one by one: `onFlood`, called once when the interval ends, replaces all of them. Returns the
 * handler to call.
 */
export function boundMessages(
  onMessage: (payload: string) => void,
  onFlood: () => void,
): (payload: string) => void {
  let handled = 0;
  let isFlooded = false;
  let isCounting = false;

  const count = (ms: number) => {
    handled = 0;
    isFlooded = false;
    isCounting = true;
    setTimeout(end, ms).unref();
  };
  const end = () => {
    const wasFlooded = isFlooded;
    isCounting = false;
    if (!wasFlooded) return;
    count(FLOOD_INTERVAL_MS);
    onFlood();
  };

  return (payload) => {
    if (!isCounting) count(INTERVAL_MS);
    handled += 1;
    if (handled <= MESSAGES_PER_INTERVAL) onMessage(payload);
    else isFlooded = true;
  };
}
