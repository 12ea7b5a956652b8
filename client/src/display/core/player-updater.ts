import type { DisplayProgram } from "../../../../shared/protocol/signals.ts";
import type { Clock } from "../../sync/clock.ts";
import { type TextStorage, withStorage } from "../../transport/storage/browser-storage.ts";
import { buildOfText } from "./own-build.ts";

/**
 * Reloads the page when the server serves another build of it, or when an operator requests it. All new files are fetched
 * before the page is left. The reloads of many displays are spread over time, and a page that is still outdated after a
 * reload waits before it tries again.
 */

const SPREAD_MS = 60_000;
const REQUESTED_SPREAD_MS = 1_500;
const RETRY_MS = 30_000;
const RETRY_SAME_BUILD_MS = 600_000;
const STORAGE_KEY = "watchfloor.display.renewed";

export class PlayerUpdater {
  readonly #deps;
  #cancel: (() => void) | null = null;

  constructor(deps: {
    clock: Clock;
    own: string;
    /** How long this page has been open. A television's own clock may be wrong by hours. */
    uptimeMs: () => number;
    storage: TextStorage | null;
    fetchPage?: (url: string) => Promise<Response>;
    reload: () => void;
  }) {
    this.#deps = deps;
  }

  /** Compares the server's build with the page's. */
  check({ build, reloadAskedAt, now }: DisplayProgram): void {
    if (this.#cancel) return;
    const { own, uptimeMs } = this.#deps;
    const loadedAt = Date.parse(now) - uptimeMs();
    const isRequested = reloadAskedAt !== null && Date.parse(reloadAskedAt) > loadedAt;
    const isOld = build !== "" && own !== "" && build !== own && !this.#wasTriedRecently(build);
    if (isRequested || isOld) this.#schedule(isRequested ? REQUESTED_SPREAD_MS : SPREAD_MS, build);
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #schedule(spreadMs: number, build: string): void {
    const { clock } = this.#deps;
    this.#cancel = clock.after(clock.random() * spreadMs, () => void this.#update(build));
  }

  async #update(build: string): Promise<void> {
    if (await this.#fetchAll()) {
      this.#recordAttempt(build);
      this.#deps.reload();
      return;
    }
    this.#schedule(RETRY_MS, build);
  }

  /** Whether the page and all its files can be fetched completely, and are ours rather than a proxy's error page. */
  async #fetchAll(): Promise<boolean> {
    const { fetchPage = (url: string) => fetch(url, { cache: "no-cache" }) } = this.#deps;
    try {
      const page = await fetchPage("/display");
      const files = page.ok
        ? buildOfText(await page.text())
            .split(" ")
            .filter(Boolean)
        : [];
      if (files.length === 0) return false;
      const answers = await Promise.all(files.map((file) => fetchPage(`/assets/${file}`)));
      return answers.every(({ ok }) => ok);
    } catch {
      return false;
    }
  }

  #wasTriedRecently(build: string): boolean {
    let stored = "";
    withStorage(this.#deps.storage, (storage) => {
      stored = storage.getItem(STORAGE_KEY) ?? "";
    });
    const [tried, at] = stored.split("|");
    return tried === build && this.#deps.clock.now() - Number(at) < RETRY_SAME_BUILD_MS;
  }

  #recordAttempt(build: string): void {
    const attempt = `${build}|${this.#deps.clock.now()}`;
    // Without storage it is tried again, spread over time.
    withStorage(this.#deps.storage, (storage) => storage.setItem(STORAGE_KEY, attempt));
  }
}
