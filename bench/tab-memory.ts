import { readFile } from "node:fs/promises";
import { type Browser, chromium, type Page } from "playwright";
import { owner } from "../e2e/harness/server-process.ts";
import { chromiumPath } from "../e2e/provision/chromium.ts";
import { withBenchEnvironment } from "./load/bench-environment.ts";
import { fillTo } from "./load/fill-table.ts";
import type { Finding } from "./load/report.ts";

/**
 * The memory of a tab whose user scrolls, jumps, sorts, groups and filters for minutes. The floor is the same over a thousand
 * records. The heap is measured after a collection of garbage, the highest of all rounds counts.
 */
const SIZES = [1_000, 1_000_000] as const;
const PASSES = 2;
const WHEELS = 40;
const JUMPS = 6;

const views = [
  "",
  "?sort=-title",
  "?by=priority",
  "?by=group&sort=-opened_at",
  `?filter=${encodeURIComponent(JSON.stringify({ field: "state", op: "eq", value: "New" }))}`,
  "?by=state&sort=due_at",
];

interface Memory {
  heap: number;
  /** The process of the tab. */
  resident: number;
}

export function tabMemory(): Promise<Finding[]> {
  return withBenchEnvironment({ nodes: 1 }, async ({ urls: [url = ""], database }) => {
    const used: Memory[] = [];
    for (const size of SIZES) {
      await fillTo(database, size);
      used.push(await browse(url));
    }
    const [small, large] = used as [Memory, Memory];
    const shared = { unit: "MB", names: ["1,000 records", "1,000,000"] as const };
    const target = { most: 1.5 };
    return [
      { ...shared, what: "heap", floor: small.heap, product: large.heap, target },
      { ...shared, what: "process", floor: small.resident, product: large.resident, target },
    ];
  });
}

async function browse(url: string): Promise<Memory> {
  const args = ["--no-sandbox"];
  const browser = await chromium.launch({ executablePath: await chromiumPath(), args });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const signedIn = { data: owner, headers: { origin: url } };
    await page.request.post(`${url}/api/v1/session`, signedIn);
    await page.goto(`${url}/t/incidents`);
    const most: Memory = { heap: 0, resident: 0 };
    for (const view of Array.from({ length: PASSES }, () => views).flat()) {
      await scrollThrough(page, view);
      const { heap, resident } = await memoryOf(browser, page);
      most.heap = Math.max(most.heap, heap);
      most.resident = Math.max(most.resident, resident);
    }
    return most;
  } finally {
    await browser.close();
  }
}

async function scrollThrough(page: Page, view: string): Promise<void> {
  await page.evaluate((address) => {
    history.pushState(null, "", address);
    dispatchEvent(new PopStateEvent("popstate"));
  }, `/t/incidents${view}`);
  await page.locator(".ag-row .wf-cell:not(.wf-loading)").first().waitFor();
  await page.mouse.move(700, 500);
  for (let wheel = 0; wheel < WHEELS; wheel += 1) {
    await page.mouse.wheel(0, 1_800);
    await page.waitForTimeout(60);
  }
  for (let jump = 1; jump <= JUMPS; jump += 1) {
    // Neither in order nor by chance.
    const share = (jump * 0.618) % 1;
    await page
      .locator(".ag-grid-viewport")
      .first()
      .evaluate((body, at) => {
        body.scrollTop = body.scrollHeight * at;
      }, share);
    await page.waitForTimeout(400);
  }
  await page.locator(".ag-row .wf-cell:not(.wf-loading)").first().waitFor();
}

const BYTES_PER_MB = 1_000_000;
const KB_PER_MB = 1_000;

async function memoryOf(browser: Browser, page: Page): Promise<Memory> {
  const [tab, system] = [
    await page.context().newCDPSession(page),
    await browser.newBrowserCDPSession(),
  ];
  await tab.send("HeapProfiler.collectGarbage");
  const { usedSize } = await tab.send("Runtime.getHeapUsage");
  const { processInfo } = await system.send("SystemInfo.getProcessInfo");
  await Promise.all([tab.detach(), system.detach()]);
  const tabs = processInfo.filter(({ type }) => type === "renderer");
  const sizes = await Promise.all(tabs.map(({ id }) => residentKb(id)));
  return { heap: usedSize / BYTES_PER_MB, resident: Math.max(...sizes) / KB_PER_MB };
}

/** Where the machine says it (Linux). */
async function residentKb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0);
}
