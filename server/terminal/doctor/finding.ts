/** What a check of `watchfloor doctor` found. No text contains a password: addresses are shown by their host. */
export interface Finding {
  /** The name of the check. */
  check: string;
  /** A fault breaks something, or loses data; a warning may. */
  level: "fault" | "warning";
  message: string;
  advice: string;
}

/** Names what a check finds. */
export function findingsOf(check: string) {
  const finding =
    (level: Finding["level"]) =>
    (message: string, advice: string): Finding => ({ check, level, message, advice });
  return { fault: finding("fault"), warning: finding("warning") };
}

/** The host and port of an address, without its credentials. */
export function hostOf(address: string): string {
  const url = new URL(address);
  return url.host || url.searchParams.get("host") || "this machine";
}
