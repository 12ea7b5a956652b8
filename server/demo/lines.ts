/** Texts that service desk users write. */
export const notes = [
  "Called back, no answer. Will try again at lunch.",
  "User says it works from home but not from the office.",
  "Same symptom as this morning on the third floor.",
  "Cleared the cache, asked the user to sign in again.",
  "Logs show a time-out after 30 seconds.",
  "Swapped the cable, watching it for an hour.",
  "Reset the account, user confirms.",
  "Looks like the certificate ran out last night.",
  "Asked the vendor for an estimate.",
  "Reproduced on my own machine.",
  "Restarted the service, keeps coming back.",
  "User sent a screenshot, it is the old client.",
  "Only one user so far, the others are fine.",
  "Compared with a colleague's machine: same settings.",
  "New driver installed, printing again.",
  "Moved to the second access point for now.",
  "Remote session, it is the browser extension.",
  "Permission was missing after the change of department.",
  "Works again since the line was reset. Watching it.",
  "Explained the workaround, user can go on working.",
  "Checked with the network team, nothing on their side.",
  "Password had expired over the holidays.",
  "Rolled back the update on this machine.",
] as const;

export const awaitings = [
  ["Awaiting User Info", "Asked the user for the exact message."],
  ["Awaiting User Info", "Asked when it happened last, and on which device."],
  ["Awaiting User Info", "User is in a meeting, calls back."],
  ["Awaiting Vendor", "Ticket opened with the vendor."],
  ["Awaiting Vendor", "Vendor sends a replacement tomorrow."],
  ["Awaiting Problem", "Part of a larger problem, waiting for the fix."],
  ["Awaiting Evidence", "Waiting for the trace from the branch."],
  ["Awaiting Evidence", "Logging switched on, waits for the next time."],
] as const;

export const resolutions = ["Fixed", "Workaround", "User informed"] as const;

export const groups = ["Service Desk", "Network", "Workplace", "Business Applications"] as const;
export const priorities = ["1 - Critical", "2 - High", "3 - Moderate", "4 - Low"] as const;
export const locations = ["Berlin", "Lisbon", "Porto", "Oslo", "Remote"] as const;
