import { existsSync } from "node:fs";
import { chromium } from "playwright";
import { findProgram, provideProgram } from "./programs.ts";

/** The same engine without windows: an empty page takes a sixth of the full browser's processor time. */
const headlessShells = ["chromium-headless-shell", "chrome-headless-shell"];
const browsers = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

function playwrightsOwn(): string | undefined {
  const path = chromium.executablePath();
  return existsSync(path) ? path : undefined;
}

/** The path of a Chromium for browser tests: the machine's, or the one that playwright downloaded. */
export function chromiumPath(): Promise<string> {
  const find = () => findProgram([...headlessShells, ...browsers]) ?? playwrightsOwn();
  return provideProgram(find, "chromium", "Chromium");
}

/** The path of a whole Chromium, if there is one: the headless shell has no settings of its user. */
export async function fullChromiumPath(): Promise<string> {
  return findProgram(browsers) ?? playwrightsOwn() ?? (await chromiumPath());
}

/** Installs the headless shell where the system has a package for it; tests run on the full browser as well. */
export function provideChromium(): Promise<string> {
  const find = () => findProgram(headlessShells);
  return provideProgram(find, "chromium-headless-shell", "Chromium").catch(chromiumPath);
}
