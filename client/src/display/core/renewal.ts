import type { DisplayProgram } from "../../../../shared/protocol/displays.ts";
import type { Clock } from "../../sync/clock.ts";
import { buildOfText } from "./own-build.ts";

/**
 * Loading the page anew when the server serves another player, or when an operator asks: first the new
 * files are fetched whole, then the page goes. A thousand screens spread over the time, and one that
 * comes back as old as it went does not try again at once.
 */

const SPREAD_MS = 60_000;
const ASKED_SPREAD_MS = 1_500;
const TRY_AGAIN_MS = 30_000;
const SAME_AGAIN_MS = 600_000;
const MARK = "watchfloor.display.renewed";

interface Deps {
  clock: Clock;
  own: string;
  /** For how long this page has been there. A television's own clock may be wrong by hours. */
  uptimeMs: () => number;
  storage: () => Storage;
  fetchPage?: (url: string) => Promise<Response>;
  reload: () => void;
}

export class Renewal {
  readonly #deps: Deps;
  #cancel: (() => void) | null = null;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Judges what the server says now. */
  consider({ build, reloadAskedAt, now }: DisplayProgram): void {
    if (this.#cancel) return;
    const { own, uptimeMs } = this.#deps;
    const loadedAt = Date.parse(now) - uptimeMs();
    const isAsked = reloadAskedAt !== null && Date.parse(reloadAskedAt) > loadedAt;
    const isOld = build !== "" && own !== "" && build !== own && !this.#triedLately(build);
    if (isAsked || isOld) this.#plan(isAsked ? ASKED_SPREAD_MS : SPREAD_MS, build);
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #plan(spreadMs: number, build: string): void {
    const { clock } = this.#deps;
    this.#cancel = clock.after(clock.random() * spreadMs, () => void this.#renew(build));
  }

  async #renew(build: string): Promise<void> {
    if (await this.#fetchAll()) {
      this.#note(build);
      this.#deps.reload();
      return;
    }
    this.#plan(TRY_AGAIN_MS, build);
  }

  /** Whether page and files are there, whole and ours: a proxy's error page is neither. */
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

  #triedLately(build: string): boolean {
    try {
      const [tried, at] = (this.#deps.storage().getItem(MARK) ?? "").split("|");
      return tried === build && this.#deps.clock.now() - Number(at) < SAME_AGAIN_MS;
    } catch {
      return false;
    }
  }

  #note(build: string): void {
    try {
      this.#deps.storage().setItem(MARK, `${build}|${this.#deps.clock.now()}`);
    } catch {
      // Without storage it is tried again, spread over the time.
    }
  }
}
