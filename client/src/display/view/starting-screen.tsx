import { displayMessages as messages } from "../../messages/en/display.ts";
import { lengthText } from "../../tiles/length-text.ts";
import { useNow } from "../../tiles/tile-clock.ts";

const PRODUCT_NAME = "Watchfloor";
const SHOW_WAIT_AFTER_MS = 3_000;

/** Shown until the server first answers. If that takes long, it shows the waiting time. */
export function StartingScreen({ since }: { since: number }) {
  const now = useNow();
  const waited = now - since;
  return (
    <main className="notice">
      <h1 className="notice-title">{PRODUCT_NAME}</h1>
      <p className="notice-text" role="status">
        {waited < SHOW_WAIT_AFTER_MS
          ? messages.starting()
          : messages.noResponse({ time: lengthText(waited) })}
      </p>
    </main>
  );
}
