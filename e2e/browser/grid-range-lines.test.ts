import type { Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { boxAtRest } from "./testing/box-at-rest.ts";
import { visitAs } from "./testing/browser.ts";
import { cell, openTable } from "./testing/grid.ts";
import { addParcels, makeParcels } from "./testing/parcels.ts";
import { openProduct, owner } from "./testing/product.ts";

const { browser, product } = await openProduct();
let ids: string[];
let path: string;

beforeAll(async () => {
  const { page, leave } = await visitAs(browser, product, owner);
  await addParcels(page, product);
  ({ ids, path } = await makeParcels(page, product, { series: "lines", count: 8 }));
  await leave();
});

interface Clip {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The colours of the pixels of a part of the screen, line by line. */
async function pixelsOf(page: Page, clip: Clip): Promise<string[][]> {
  const image = (await page.screenshot({ clip })).toString("base64");
  return page.evaluate(async (encoded) => {
    const bytes = Uint8Array.from(atob(encoded), (one) => one.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const { width, height } = bitmap;
    const canvas = new OffscreenCanvas(width, height).getContext("2d");
    if (!canvas) throw new Error("The browser has no canvas.");
    canvas.drawImage(bitmap, 0, 0);
    const { data } = canvas.getImageData(0, 0, width, height);
    const colourAt = (x: number, y: number) => {
      const from = (y * width + x) * 4;
      return data.slice(from, from + 3).join(",");
    };
    return Array.from({ length: height }, (_line, y) =>
      Array.from({ length: width }, (_pixel, x) => colourAt(x, y)),
    );
  }, image);
}

/** The colour of the line, as the screen has it. */
function accentOf(page: Page): Promise<string> {
  return page.evaluate(() => {
    const probe = document.createElement("i");
    probe.style.color = "var(--wf-accent)";
    document.body.append(probe);
    const [red, green, blue] = getComputedStyle(probe).color.match(/[\d.]+/g) ?? [];
    probe.remove();
    return [red, green, blue].join(",");
  });
}

const transposed = (pixels: string[][]) =>
  (pixels[0] ?? []).map((_pixel, x) => pixels.map((line) => line[x] ?? ""));

/** How many lines of pixels have the colour from end to end, and how many others have it anywhere. */
function countLines(lines: string[][], colour: string): { whole: number; broken: number } {
  const shares = lines.map((line) => line.filter((one) => one === colour).length / line.length);
  return {
    whole: shares.filter((share) => share === 1).length,
    broken: shares.filter((share) => share > 0 && share < 1).length,
  };
}

const ratios = [1, 1.25, 2];
const schemes = ["light", "dark"] as const;

describe("the lines around a range", () => {
  for (const deviceScaleFactor of ratios) {
    for (const colorScheme of schemes) {
      it(`have no gaps and are sharp at ${deviceScaleFactor} pixels, ${colorScheme}`, async () => {
        const look = { deviceScaleFactor, colorScheme };
        const { page, leave } = await visitAs(browser, product, owner, look);
        await openTable(page, product, path);
        for (const pinned of [false, true]) {
          if (pinned) {
            await page.locator('.ag-header-cell[col-id="name"]').press("Alt+Enter");
            await page.getByRole("menuitem", { name: "Pin left" }).press("Enter");
            await page.locator('.ag-grid-pinned-left-cells [col-id="name"]').first().waitFor();
          }
          const at = (index: number) => cell(page, ids[index] ?? "", "name");
          await at(2).click();
          await page.keyboard.press("Shift+ArrowDown");
          await page.keyboard.press("Shift+ArrowDown");
          await page.getByTestId("range").getByText("3 cells", { exact: true }).waitFor();
          await page.mouse.move(2, 2);
          const [first, last] = [await boxAtRest(at(2)), await boxAtRest(at(4))];
          const [top, bottom] = [first.y, last.y + last.height];
          const left = { x: first.x - 4, y: top + 4, width: 10, height: bottom - top - 8 };
          const upper = { x: first.x + 4, y: top - 4, width: first.width - 8, height: 10 };
          const accent = await accentOf(page);
          const whole = Math.floor(2 * deviceScaleFactor);
          const of = async (clip: Clip) => pixelsOf(page, clip);
          expect(countLines(transposed(await of(left)), accent)).toEqual({ whole, broken: 0 });
          const right = { ...left, x: first.x + first.width - 6, height: left.height - 6 };
          expect(countLines(transposed(await of(right)), accent)).toEqual({ whole, broken: 0 });
          expect(countLines(await of(upper), accent)).toEqual({ whole, broken: 0 });
          const lower = { ...upper, y: bottom - 6, width: upper.width - 8 };
          expect(countLines(await of(lower), accent)).toEqual({ whole, broken: 0 });
        }
        await leave();
      });
    }
  }
});
