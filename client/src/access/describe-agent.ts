import { uiMessages as messages } from "../messages/en/ui.ts";
/** Helps a user recognise a session. Guessed from the `User-Agent`, so nothing may depend on it. */
export interface Agent {
  /** Firefox on Windows; "API client" if the browser is unknown. */
  label: string;
  isPhone: boolean;
}

const browsers: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

const systems: [RegExp, string][] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

/** Describes a `User-Agent`. */
export function describeAgent(userAgent: string): Agent {
  const browser = firstOf(browsers, userAgent);
  const system = firstOf(systems, userAgent);
  const label =
    browser && system ? messages.browserOnSystem({ browser, system }) : (browser ?? system);
  return {
    label: label ?? messages.apiClient(),
    isPhone: system === "iPhone" || (system === "Android" && /\bMobile\b/.test(userAgent)),
  };
}

function firstOf(patterns: typeof browsers, text: string): string | undefined {
  return patterns.find(([sign]) => sign.test(text))?.[1];
}
