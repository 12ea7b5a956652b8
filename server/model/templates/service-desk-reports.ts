/** What is reported to the service desk of the demo. A word in braces is replaced by one of several. */
const reports = [
  ["Email", "Can't send attachments to {customer}", "Mail", "Delivery"],
  ["Email", "Mailbox {team} is missing after the migration", "Mail", "Mailbox"],
  ["Email", "Messages from {customer} land in the spam folder", "Mail", "Delivery"],
  ["Email", "Calendar of {room} shows the wrong time", "Mail", "Calendar"],
  ["Email", "Out-of-office reply of {team} can't be switched off", "Mail", "Mailbox"],
  ["VPN", "VPN drops every few minutes {place}", "Network", "Remote access"],
  ["VPN", "Second factor is not accepted {place}", "Access", "Sign-in"],
  ["VPN", "Drive of {team} can't be reached over VPN", "Network", "Remote access"],
  ["VPN", "VPN client asks for an update {place}", "Network", "Remote access"],
  ["ERP", "Posting run of {customer} stops at a locked period", "Business software", "Finance"],
  ["ERP", "Purchase order {order} can't be approved", "Business software", "Purchasing"],
  ["ERP", "Invoice {order} shows the wrong tax rate", "Business software", "Finance"],
  ["ERP", "Supplier {customer} is missing in the list", "Business software", "Purchasing"],
  ["ERP", "Report for {team} stays empty", "Business software", "Reporting"],
  ["ERP", "Delivery note {order} is printed twice", "Business software", "Logistics"],
  ["Intranet", "Search finds nothing in the pages of {team}", "Web", "Search"],
  ["Intranet", "Page of {team} shows an error", "Web", "Content"],
  ["Intranet", "Booking of {room} is refused", "Web", "Booking"],
  ["Wi-Fi", "No signal on {floor}", "Network", "Wireless"],
  ["Wi-Fi", "Guests can't sign in on {floor}", "Network", "Wireless"],
  ["Wi-Fi", "Screen in {room} loses its connection", "Network", "Wireless"],
  ["Wi-Fi", "Calls break up when walking through {floor}", "Network", "Wireless"],
  ["Printing", "Printer on {floor} prints blank pages", "Hardware", "Printer"],
  ["Printing", "Badge is not recognised at the printer on {floor}", "Hardware", "Printer"],
  ["Printing", "Scans for {team} never arrive", "Hardware", "Scanner"],
  ["Printing", "Paper jam on {floor} comes back every morning", "Hardware", "Printer"],
  ["Telephony", "Calls to {customer} end after ten seconds", "Telephony", "Calls"],
  ["Telephony", "Voicemail greeting of {team} can't be changed", "Telephony", "Voicemail"],
  ["Telephony", "Headset is not found in {room}", "Telephony", "Headset"],
  ["Telephony", "Hunt group of {team} rings only one phone", "Telephony", "Calls"],
  ["File shares", "Folder of {team} is read-only", "Access", "Permissions"],
  ["File shares", "Restore a deleted folder of {team}", "Storage", "Restore"],
  ["File shares", "Contract with {customer} is locked by somebody", "Access", "Locking"],
  ["File shares", "Access to the folder of {team} for a new colleague", "Access", "Permissions"],
] as const;

const words: Record<string, readonly string[]> = {
  customer: [
    "Nordlicht Foods",
    "Hafen Logistics",
    "Meyer & Sons",
    "Atlas Paper",
    "Rua Nova Bank",
    "Fjord Energy",
    "Caldeira Wines",
    "Lumen Optics",
  ],
  team: ["Payroll", "Sales", "Procurement", "Legal", "Marketing", "the works council", "Research"],
  room: ["room 2.07", "room 4.12", "the board room", "room 1.30", "the training room"],
  floor: ["the ground floor", "the third floor", "floor 2", "the fifth floor", "floor 4"],
  place: ["from home", "in the train", "from the hotel", "at the customer's", "in the Oslo office"],
  order: ["4500-118", "4500-231", "4500-307", "4500-342", "4500-419", "4500-508", "4500-613"],
};

/** A reported incident. */
export interface Report {
  service: string;
  title: string;
  category: string;
  subcategory: string;
}

/** Picks a report by a function that picks one of several. */
export function pickReport(pick: <Item>(items: readonly Item[]) => Item): Report {
  const [service, template, category, subcategory] = pick(reports);
  const title = template.replace(/\{(\w+)\}/, (_, word: string) => pick(words[word] ?? [word]));
  return { service, title, category, subcategory };
}

export const levels = ["1 - High", "2 - Medium", "3 - Low"] as const;
const priorities = ["1 - Critical", "2 - High", "3 - Moderate", "4 - Low"] as const;
/** Within how many hours an incident of each priority is due. */
const targetHours = [8, 24, 72, 120] as const;

/** How urgent an incident is: most are not. Priority and target follow from impact and urgency. */
export function pickSeverity(pick: <Item>(items: readonly Item[]) => Item) {
  const impact = pick([0, 1, 1, 2, 2, 2]);
  const urgency = pick([0, 1, 1, 2, 2]);
  const rank = Math.min(impact + urgency, 3);
  return {
    impact: levels[impact] as string,
    urgency: levels[urgency] as string,
    priority: priorities[rank] as string,
    dueWithinHours: targetHours[rank] as number,
  };
}
