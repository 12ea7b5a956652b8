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
] as const;

export const awaitings = [
  ["Awaiting User Info", "Asked the user for the exact message."],
  ["Awaiting Vendor", "Ticket opened with the vendor."],
  ["Awaiting Problem", "Part of a larger problem, waiting for the fix."],
  ["Awaiting Evidence", "Waiting for the trace from the branch."],
] as const;

export const resolutions = ["Fixed", "Workaround", "User informed"] as const;

/** Service, title, category and subcategory of reported incidents. */
export const reports = [
  ["Email", "Calendar invitations arrive an hour late", "Mail", "Delivery"],
  ["VPN", "VPN asks for the code twice", "Access", "Sign-in"],
  ["ERP", "Invoice list stays empty after the update", "Business software", "Finance"],
  ["Wi-Fi", "Meeting room 4.12 has no Wi-Fi", "Network", "Wireless"],
  ["Printing", "Printer on the ground floor prints blank pages", "Hardware", "Printer"],
  ["Telephony", "No ring tone on incoming calls", "Telephony", "Calls"],
  ["File shares", "Shared drive is very slow since ten o'clock", "Storage", "Performance"],
  ["Intranet", "Page of the canteen shows last week", "Web", "Content"],
] as const;

export const groups = ["Service Desk", "Network", "Workplace", "Business Applications"] as const;
export const levels = ["1 - High", "2 - Medium", "3 - Low"] as const;
export const priorities = ["1 - Critical", "2 - High", "3 - Moderate", "4 - Low"] as const;
export const locations = ["Berlin", "Lisbon", "Porto", "Oslo", "Remote"] as const;
