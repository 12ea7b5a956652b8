import { lengthText } from "../../tiles/length-text.ts";
import { useNow } from "../../tiles/tile-clock.ts";

const SHOW_WAIT_AFTER_MS = 3_000;

/** Nothing is known yet. When that lasts, the screen says since when. */
export function StartingScreen({ since }: { since: number }) {
  const now = useNow();
  const waited = now - since;
  return (
    <main className="door">
      <h1 className="door-title">Watchfloor</h1>
      <p className="door-lead" role="status">
        {waited < SHOW_WAIT_AFTER_MS
          ? "Starting …"
          : `The server has not answered for ${lengthText(waited)}. This screen goes on trying.`}
      </p>
    </main>
  );
}
