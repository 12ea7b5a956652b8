import type { Page } from "playwright";

const WIDTH = 1640;
const HEIGHT = 1010;

/** Where each picture is: left, top and width, in percent of the whole. */
const places = [
  { left: 2.2, top: 3.5, width: 62 },
  { left: 66.4, top: 3.5, width: 32 },
  { left: 35.6, top: 37, width: 62 },
] as const;

/** Puts the screens of two users and of a wall into one picture. `width` scales it. */
export async function compose(
  page: Page,
  pictures: readonly Buffer[],
  width: number = WIDTH,
): Promise<Buffer> {
  const height = Math.round((width * HEIGHT) / WIDTH);
  await page.setViewportSize({ width, height });
  const images = places.map((place, index) => {
    const source = `data:image/png;base64,${pictures[index]?.toString("base64")}`;
    const at = `left:${place.left}%;top:${place.top}%;width:${place.width}%`;
    return `<img src="${source}" style="position:absolute;${at};border-radius:10px;box-shadow:0 10px 40px rgb(0 30 40/25%)">`;
  });
  await page.setContent(`<body style="margin:0;background:#d3e5e9">${images.join("")}</body>`);
  await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
  return page.screenshot();
}
