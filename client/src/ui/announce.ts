/**
 * The page's voice for screen readers: one polite and one assertive live region, made once, outside
 * React, so that a message survives any re-render. Remote changes and toasts speak through here.
 */
type Urgency = "polite" | "assertive";

/** A region that is emptied and filled at once is not read: the text comes a moment later. */
const SPEAK_DELAY_MS = 60;

const regions = new Map<Urgency, HTMLElement>();

/** Says a sentence to people who use a screen reader. `assertive` interrupts: only for failures. */
export function announce(text: string, urgency: Urgency = "polite"): void {
  const region = regionFor(urgency);
  region.textContent = "";
  setTimeout(() => {
    region.textContent = text;
  }, SPEAK_DELAY_MS);
}

function regionFor(urgency: Urgency): HTMLElement {
  const known = regions.get(urgency);
  if (known?.isConnected) return known;
  const region = document.createElement("div");
  region.className = "wf-visually-hidden";
  region.setAttribute("aria-live", urgency);
  region.setAttribute("role", urgency === "polite" ? "status" : "alert");
  region.dataset.announcer = urgency;
  document.body.append(region);
  regions.set(urgency, region);
  return region;
}
