import type { CDPSession } from "playwright";
import { expect, it } from "vitest";
import { signIn } from "../harness/test-user.ts";
import { pairDisplay } from "../harness/wallboards.ts";
import { isFullProof, proofSize } from "../provision/proof-size.ts";
import { holdClock } from "./testing/page-clock.ts";
import { openProduct, owner } from "./testing/product.ts";
import { playServer, soakWallboard } from "./testing/soak-page.ts";

/**
 * The built player left alone: a frame a second, the page's clock running as fast as the machine can. The
 * long form is 24 hours, the short one twenty minutes, four of them to warm up.
 */
const WARM_S = proofSize(240, 3_600);
const SOAK_S = proofSize(960, 82_800);
/** Seconds that pass in one call to the page. */
const STEP_S = 60;
const SAMPLES = 12;
/** From the middle of the first third to that of the last one. */
const FRAMES_BETWEEN_THIRDS = (SOAK_S * 2) / 3;
/**
 * What a frame may leave on the heap, by what the last third holds above the first. The collector leaves some 200 kB more or less: in
 * sixteen minutes only a retained tile of each frame shows, and in a day a retained number.
 */
const GROWTH_PER_FRAME_MAX_BYTES = proofSize(1_000, 12);

const { browser, product } = await openProduct();

interface Sample {
  heap: number;
  nodes: number;
  listeners: number;
  timers: number;
  measures: number;
}

it(
  isFullProof
    ? "D7 the wall does not grow: heap, elements, listeners and timers stay flat for a day"
    : "D7 the wall retains no frame or tile, and no element, listener or timer",
  async () => {
    const ownerUser = await signIn(product.url, owner);
    const { token } = await pairDisplay(product.url, ownerUser, [soakWallboard.id]);
    const small = { width: 640, height: 360 };
    const context = await browser.newContext({ viewport: small, reducedMotion: "reduce" });
    await context.addCookies([{ name: "watchfloor_display", value: token, url: product.url }]);
    const page = await context.newPage();
    const thrown: string[] = [];
    page.on("pageerror", (error) => thrown.push(error.message));
    await page.addInitScript(holdClock);
    await page.addInitScript(playServer, soakWallboard);
    await page.goto(`${product.url}/display`);
    const pass = async (seconds: number) => {
      for (let at = 0; at < seconds; at += STEP_S)
        await page.evaluate((some) => window.passSeconds(some), Math.min(STEP_S, seconds - at));
    };
    await expect
      .poll(() => pass(1).then(() => page.getByText("Up to date").count()), {
        timeout: 60_000,
      })
      .toBe(1);
    await pass(WARM_S);
    const cdp = await context.newCDPSession(page);
    await cdp.send("Performance.enable");
    const samples: Sample[] = [];
    for (let turn = 0; turn < SAMPLES; turn += 1) {
      await pass(SOAK_S / SAMPLES);
      samples.push(await sample(cdp));
      process.stdout.write(`wall, part ${turn + 1}: ${JSON.stringify(samples.at(-1))}\n`);
    }
    const third = SAMPLES / 3;
    const [first, last] = [samples.slice(0, third), samples.slice(-third)];
    const middle = (of: Sample[], key: keyof Sample) =>
      of.map((one) => one[key]).sort((a, b) => a - b)[Math.floor(of.length / 2)] ?? 0;
    // On a busy machine a collection leaves garbage behind now and then; what is held for good is in every sample.
    const least = (of: Sample[]) => Math.min(...of.map(({ heap }) => heap));
    const growth = (least(last) - least(first)) / FRAMES_BETWEEN_THIRDS;
    process.stdout.write(`wall after ${WARM_S + SOAK_S} s: ${growth.toFixed(1)} bytes a frame\n`);
    expect(growth).toBeLessThan(GROWTH_PER_FRAME_MAX_BYTES);
    expect(middle(last, "listeners") - middle(first, "listeners")).toBeLessThanOrEqual(2);
    expect(middle(last, "timers") - middle(first, "timers")).toBeLessThanOrEqual(2);
    expect(middle(last, "nodes") - middle(first, "nodes")).toBeLessThan(200);
    expect(samples.map(({ measures }) => measures)).toEqual(samples.map(() => 0));
    expect(thrown).toEqual([]);
  },
  proofSize(400_000, 3_600_000),
);

async function sample(cdp: CDPSession): Promise<Sample> {
  await cdp.send("HeapProfiler.collectGarbage");
  const { metrics } = await cdp.send("Performance.getMetrics");
  const metric = (metricName: string) =>
    metrics.find(({ name }) => name === metricName)?.value ?? 0;
  const expression = "[waitingTimers(), performance.getEntriesByType('measure').length]";
  const { result } = await cdp.send("Runtime.evaluate", { expression, returnByValue: true });
  const [timers, measures] = result.value as [number, number];
  return {
    heap: metric("JSHeapUsedSize"),
    nodes: metric("Nodes"),
    listeners: metric("JSEventListeners"),
    timers,
    measures,
  };
}
