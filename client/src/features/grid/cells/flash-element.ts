/** How long a changed cell is highlighted; as long as the animation in presence.css. */
const FLASH_MS = 1_800;

const timers = new WeakMap<HTMLElement, ReturnType<typeof setTimeout>>();

/** Highlights a cell as just changed, in its author's colour. */
export function flashElement(element: HTMLElement, colour: string, name: string): void {
  clearTimeout(timers.get(element));
  element.classList.remove("wf-flash");
  // Reading a size restarts the animation if a second change follows immediately.
  void element.offsetWidth;
  element.style.setProperty("--wf-author", colour);
  element.classList.add("wf-flash");
  element.dataset.author = name;
  const end = () => {
    element.classList.remove("wf-flash");
    delete element.dataset.author;
  };
  timers.set(element, setTimeout(end, FLASH_MS));
}
