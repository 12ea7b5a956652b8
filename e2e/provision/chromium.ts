import { existsSync } from "node:fs";
import { chromium } from "playwright";
import { findProgram, provideProgram } from "./programs.ts";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

function playwrightsOwn(): string | undefined {
  const path = chromium.executablePath();
  return existsSync(path) ? path : undefined;
}

/** The path of a Chromium for browser tests: the machine's, or the one that playwright downloaded. */
export function chromiumPath(): Promise<string> {
  const find = () => findProgram(names) ?? playwrightsOwn();
  return provideProgram(find, "chromium", "Chromium");
}
