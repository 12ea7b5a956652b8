/** What a person recognises a session by. Guessed from what browsers say of themselves; never judged by. */
export interface Agent {
  /** Firefox on Windows; "Another program" where it is no browser that we know. */
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

/** A browser's `User-Agent` in words. */
export function describeAgent(userAgent: string): Agent {
  const browser = firstOf(browsers, userAgent);
  const system = firstOf(systems, userAgent);
  const label = browser && system ? `${browser} on ${system}` : (browser ?? system);
  return {
    label: label ?? "Another program",
    isPhone: system === "iPhone" || (system === "Android" && /\bMobile\b/.test(userAgent)),
  };
}

function firstOf(patterns: typeof browsers, text: string): string | undefined {
  return patterns.find(([sign]) => sign.test(text))?.[1];
}
