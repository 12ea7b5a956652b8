/** How long a changed cell is highlighted; as long as the animation in presence.css. */
const FLASH_MS = 1_800;

const timers = new WeakMap<HTMLElement, ReturnType<typeof setTimeout>>();

/**
 * Highlights a cell as just changed, in its author's colour. A second change restarts the animation by its other name: reading
 * a size would restart it too, but lay out the whole page for each cell.
 */
export function flashElement(element: HTMLElement, colour: string, name: string): void {
  clearTimeout(timers.get(element));
  const { classList, style, dataset } = element;
  style.setProperty("--wf-author", colour);
  if (classList.contains("wf-flash")) classList.toggle("wf-flash-again");
  else classList.add("wf-flash");
  dataset.author = name;
  const end = () => {
    classList.remove("wf-flash", "wf-flash-again");
    delete dataset.author;
  };
  timers.set(element, setTimeout(end, FLASH_MS));
}
