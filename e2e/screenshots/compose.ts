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

/** A picture without what it has in common with the one before, which makes it small; whole if there is none. */
export async function withoutSame(
  page: Page,
  picture: Buffer,
  before: Buffer | null,
): Promise<Buffer> {
  const sources = [picture, ...(before ? [before] : [])].map((png) => png.toString("base64"));
  const encoded = await page.evaluate(async (pngs) => {
    const [image, known] = await Promise.all(
      pngs.map(async (png) => {
        const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
        const bitmap = await createImageBitmap(new Blob([bytes]));
        const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
        const context = canvas.getContext("2d");
        if (!context) throw new Error("The browser draws nothing.");
        context.drawImage(bitmap, 0, 0);
        const data = context.getImageData(0, 0, bitmap.width, bitmap.height);
        return { canvas, context, data, pixels: new Uint32Array(data.data.buffer) };
      }),
    );
    if (!image) throw new Error("There is no picture.");
    for (const [at, value] of known?.pixels.entries() ?? []) {
      if (image.pixels[at] === value) image.pixels[at] = 0;
    }
    image.context.putImageData(image.data, 0, 0);
    const blob = await image.canvas.convertToBlob({ type: "image/png" });
    let text = "";
    for (const byte of new Uint8Array(await blob.arrayBuffer())) text += String.fromCharCode(byte);
    return btoa(text);
  }, sources);
  return Buffer.from(encoded, "base64");
}
