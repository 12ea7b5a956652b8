/** How long a changed cell is highlighted. */
const FLASH_MS = 1_800;
/** How much of that at full strength, before it fades. */
const FULL = 0.22;

interface Flash {
  colour: string;
  animation: Animation;
}

const flashes = new WeakMap<HTMLElement, Flash>();

/**
 * Highlights a cell as just changed, in its author's colour: it fades, or is a still mark where motion is not wanted. A
 * second change begins anew. No class is involved: 200 of these in a second would each make the browser match the rules
 * of all that is in the cell again.
 */
export function flashElement(element: HTMLElement, colour: string, name: string): void {
  const known = flashes.get(element);
  element.dataset.author = name;
  if (known?.colour === colour && known.animation.playState === "running") {
    known.animation.currentTime = 0;
    return;
  }
  known?.animation.cancel();
  const animation = element.animate(keyframes(colour), { duration: FLASH_MS, easing: "ease-out" });
  animation.onfinish = () => {
    flashes.delete(element);
    delete element.dataset.author;
  };
  flashes.set(element, { colour, animation });
}

function keyframes(colour: string): Keyframe[] {
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const mark = {
    backgroundColor: `color-mix(in srgb, ${colour} ${isStill ? 22 : 38}%, transparent)`,
    boxShadow: `inset 3px 0 0 0 ${colour}`,
  };
  return isStill ? [mark, mark] : [mark, { ...mark, offset: FULL }, {}];
}
