import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Browser } from "playwright";
import { cleanUpAtExit, killNow } from "../../provision/clean-up.ts";

/** Short beside what a user does, long beside the time that a busy machine takes to resume a process. */
const RUN_MS = 8;

/** A thread of its own, as the test's own thread also runs the server. Passed as text: it imports nothing of ours. */
const duty = `
  const { workerData: { pids, runMs, pauseMs, state } } = require("node:worker_threads");
  const signal = (name) => {
    for (const pid of pids) try { process.kill(pid, name); } catch {}
  };
  const wait = (ms) => Atomics.wait(state, 0, 0, ms);
  while (state[0] === 0) {
    signal("SIGSTOP");
    wait(pauseMs);
    signal("SIGCONT");
    wait(runMs);
  }
`;

/**
 * Lets the pages of a browser run for one part in `slowdown` of the time, until the returned function is called. Chromium's
 * own throttling does the same by keeping a core busy, which this leaves to the other tests.
 */
export async function slowRenderers(browser: Browser, slowdown: number) {
  const cdp = await browser.newBrowserCDPSession();
  const { processInfo } = await cdp.send("SystemInfo.getProcessInfo");
  await cdp.detach();
  const pids = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => id);
  const state = new Int32Array(new SharedArrayBuffer(4));
  const workerData = { pids, runMs: RUN_MS, pauseMs: RUN_MS * (slowdown - 1), state };
  const ended = once(new Worker(duty, { eval: true, workerData }), "exit");
  // A paused process would outlive its browser.
  const forget = cleanUpAtExit(() => {
    for (const pid of pids) killNow(pid);
  });
  return async () => {
    Atomics.store(state, 0, 1);
    Atomics.notify(state, 0);
    await ended;
    forget();
  };
}
