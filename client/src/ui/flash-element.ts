/** How long it is highlighted. */
const FLASH_MS = 1_800;
/** How strong the colour is, in percent: more would look like an error, and drown the text of a card. */
const tints = { cell: 20, still: 16, card: 9 } as const;
/** How much of that at full strength, before it fades. */
const FULL = 0.22;

interface Flash {
  colour: string;
  animation: Animation;
}

const flashes = new WeakMap<HTMLElement, Flash>();

/**
 * Highlights a cell or card as just changed, in its author's colour: it fades, or is a still mark where motion is not wanted. A
 * second change restarts it. No class is involved: 200 of these in a second would each make the browser match the rules
 * of all that is in it again.
 */
export function flashElement(
  element: HTMLElement,
  colour: string,
  size: "cell" | "card" = "cell",
): void {
  const known = flashes.get(element);
  if (known?.colour === colour && known.animation.playState === "running") {
    known.animation.currentTime = 0;
    return;
  }
  known?.animation.cancel();
  const animation = element.animate(keyframes(colour, size), FLASH_MS);
  animation.onfinish = () => flashes.delete(element);
  flashes.set(element, { colour, animation });
}

/** Ends a highlight early: the cell shows another record now. */
export function endFlash(element: HTMLElement): void {
  flashes.get(element)?.animation.cancel();
  flashes.delete(element);
}

function keyframes(colour: string, size: "cell" | "card"): Keyframe[] {
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const tint = isStill && size === "cell" ? tints.still : tints[size];
  const mark = {
    backgroundColor: `color-mix(in srgb, ${colour} ${tint}%, transparent)`,
    boxShadow: `inset 3px 0 0 0 ${colour}`,
  };
  return isStill ? [mark, mark] : [mark, { ...mark, offset: FULL, easing: "ease-out" }, {}];
}
