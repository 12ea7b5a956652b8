import type { SeedRecord } from "../../store/seed.ts";
import { createRandom } from "./seeded-random.ts";

const INCIDENTS = 240;
const HOUR_MS = 3_600_000;

const groups = ["Service Desk", "Network", "Workplace", "Business Applications"];
const services = [
  ["Email", "1 - High", "4200.00"],
  ["VPN", "1 - High", "1850.50"],
  ["ERP", "1 - High", "26300.00"],
  ["Intranet", "2 - Medium", "940.00"],
  ["Wi-Fi", "2 - Medium", "2210.75"],
  ["Printing", "3 - Low", "610.20"],
  ["Telephony", "2 - Medium", "3300.00"],
  ["File shares", "2 - Medium", "1275.00"],
] as const;
const firstNames = [
  "Amira",
  "Ben",
  "Chloé",
  "Daniel",
  "Elif",
  "Farid",
  "Greta",
  "Hugo",
  "Ines",
  "Jonas",
];
const lastNames = ["Almeida", "Berg", "Costa", "Duarte", "Eriksen", "Fischer"];
const locations = ["Berlin", "Lisbon", "Porto", "Oslo", "Remote"];
const symptoms = [
  ["Email", "Can't send mail with attachments", "Mail", "Delivery"],
  ["Email", "Shared mailbox missing after migration", "Mail", "Mailbox"],
  ["VPN", "VPN drops every few minutes", "Network", "Remote access"],
  ["VPN", "Second factor not accepted", "Access", "Sign-in"],
  ["ERP", "Posting run stops with a locked period", "Business software", "Finance"],
  ["ERP", "Purchase order can't be approved", "Business software", "Purchasing"],
  ["Intranet", "Search finds nothing since this morning", "Web", "Search"],
  ["Wi-Fi", "No signal on the third floor", "Network", "Wireless"],
  ["Wi-Fi", "Guests can't sign in to the guest network", "Network", "Wireless"],
  ["Printing", "Printer shows toner low but is new", "Hardware", "Printer"],
  ["Printing", "Badge is not recognised at the printer", "Hardware", "Printer"],
  ["Telephony", "Calls end after ten seconds", "Telephony", "Calls"],
  ["Telephony", "Voicemail greeting can't be changed", "Telephony", "Voicemail"],
  ["File shares", "Folder of the project is read-only", "Access", "Permissions"],
  ["File shares", "Deleted folder to be restored", "Storage", "Restore"],
  ["Email", "Newsletter lands in the spam folder", "Mail", "Delivery"],
  ["Email", "Calendar invitations arrive an hour late", "Mail", "Calendar"],
  ["VPN", "No access from the hotel network", "Network", "Remote access"],
  ["ERP", "Invoice shows the wrong tax rate", "Business software", "Finance"],
  ["ERP", "New supplier is missing in the list", "Business software", "Purchasing"],
  ["Intranet", "Page of the works council shows an error", "Web", "Content"],
  ["Wi-Fi", "Meeting room screen loses its connection", "Network", "Wireless"],
  ["Printing", "Scans never arrive by mail", "Hardware", "Scanner"],
  ["Telephony", "Headset is not found after the update", "Telephony", "Headset"],
  ["File shares", "Drive letter disappears after a restart", "Access", "Drive mapping"],
] as const;
const states = [
  ["New", 30],
  ["Active", 60],
  ["Awaiting User Info", 24],
  ["Awaiting Problem", 12],
  ["Awaiting Vendor", 10],
  ["Awaiting Evidence", 6],
  ["Resolved", 48],
  ["Closed", 50],
] as const;
const levels = ["1 - High", "2 - Medium", "3 - Low"];
const priorities = ["1 - Critical", "2 - High", "3 - Moderate", "4 - Low"];

/** Records of the demo, the same at every set-up except for their dates, which are around now. */
export function serviceDeskSeed(now: Date): SeedRecord[] {
  const random = createRandom(20_261_121);
  const people = firstNames.flatMap((first) => lastNames.map((last) => `${first} ${last}`));
  return [
    ...groups.map((name) => ({ table: "groups", id: name, values: { name, email: mailOf(name) } })),
    ...services.map(([name, criticality, monthly_cost]) => ({
      table: "services",
      id: name,
      values: { name, criticality, monthly_cost },
    })),
    ...people.map((name, index) => ({
      table: "people",
      id: `person-${index + 1}`,
      values: {
        name,
        email: mailOf(name),
        location: pick(locations, random),
        vip: index % 17 === 0,
      },
    })),
    ...Array.from({ length: INCIDENTS }, (_, index) => incident(index, people.length, now, random)),
  ];
}

function pick<Item>(items: readonly Item[], random: (below: number) => number): Item {
  return items[random(items.length)] as Item;
}

function mailOf(name: string): string {
  const plain = name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replaceAll(" ", ".");
  return `${plain}@example.com`;
}

function incident(
  index: number,
  people: number,
  now: Date,
  random: (below: number) => number,
): SeedRecord {
  const state = stateAt(index);
  const done = state === "Resolved" || state === "Closed";
  const [service, title, category, subcategory] = pick(symptoms, random);
  const impact = random(3);
  const urgency = random(3);
  const openedHoursAgo = done ? 48 + random(24 * 40) : random(24 * 9);
  const opened = now.getTime() - openedHoursAgo * HOUR_MS - random(HOUR_MS);
  const resolved = opened + (1 + random(40)) * HOUR_MS;
  const iso = (time: number) => `${new Date(time).toISOString().slice(0, 19)}+00:00`;
  return {
    table: "incidents",
    id: `seed-${index + 1}`,
    values: {
      title,
      state,
      impact: levels[impact] ?? null,
      urgency: levels[urgency] ?? null,
      priority: priorities[Math.min(impact + urgency, 3)] ?? null,
      category,
      subcategory,
      service,
      group: pick(groups, random),
      caller: `person-${1 + random(people)}`,
      location: pick(locations, random),
      opened_at: iso(opened),
      due_at: iso(opened + (8 + 24 * Math.min(impact + urgency, 3)) * HOUR_MS),
      resolved_at: done ? iso(resolved) : null,
      closed_at: state === "Closed" ? iso(resolved + 5 * 24 * HOUR_MS) : null,
      reassignments: random(4),
      reopenings: random(12) === 0 ? 1 : 0,
      sla_met: done ? random(5) > 0 : null,
      resolution_code: done ? pick(["Fixed", "Workaround", "User informed"], random) : null,
    },
  };
}

/** Every state has its share, spread over the numbers. */
function stateAt(index: number): string {
  let place = (index * 89) % INCIDENTS;
  for (const [state, count] of states) {
    if (place < count) return state;
    place -= count;
  }
  return "New";
}
