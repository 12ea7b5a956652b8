/**
 * Announcements for screen readers: one polite and one assertive live region, created outside React, so that a message
 * survives any re-render. Used for remote changes and toasts.
 */
type Urgency = "polite" | "assertive";

/** Screen readers ignore a region that is emptied and filled at once, so the text is set later. */
const ANNOUNCE_DELAY_MS = 60;

/** Announces a text to users of screen readers. `assertive` interrupts, so it is only for failures. */
export function announce(text: string, urgency: Urgency = "polite"): void {
  const region = regionFor(urgency);
  region.textContent = "";
  setTimeout(() => {
    region.textContent = text;
  }, ANNOUNCE_DELAY_MS);
}

function regionFor(urgency: Urgency): HTMLElement {
  const known = document.querySelector<HTMLElement>(`[data-announcer="${urgency}"]`);
  if (known) return known;
  const region = document.createElement("div");
  region.className = "wf-visually-hidden";
  region.setAttribute("aria-live", urgency);
  region.setAttribute("role", urgency === "polite" ? "status" : "alert");
  region.dataset.announcer = urgency;
  document.body.append(region);
  return region;
}
