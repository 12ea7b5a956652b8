import { createRandom, type Random } from "../../../shared/random.ts";
import type { SeedRecord } from "../../store/seed.ts";
import { pickReport, pickSeverity, type Report } from "./service-desk-reports.ts";

const INCIDENTS = 240;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAYS_UNTIL_CLOSED = 5;

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
/** One in so many open incidents is late, and one in so many done ones was. */
const LATE_ONE_IN = 12;

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
        location: random.pick(locations),
        vip: index % 17 === 0,
      },
    })),
    ...incidents(people.length, now, random),
  ];
}

/** The incidents in the order in which they were opened, because their numbers follow it. */
function incidents(people: number, now: Date, random: Random): SeedRecord[] {
  const reports = distinctReports(random);
  const made = reports.map((report, index) => incident(index, report, people, now, random));
  const openedAt = ({ values }: SeedRecord) => String(values.opened_at);
  return made.toSorted((a, b) => openedAt(a).localeCompare(openedAt(b)));
}

/** Reports with titles of their own, as far as there are enough. */
function distinctReports(random: Random): Report[] {
  const found = new Map<string, Report>();
  const next = () => pickReport(random.pick);
  for (let tries = 0; found.size < INCIDENTS && tries < INCIDENTS * 20; tries += 1) {
    const report = next();
    found.set(report.title, report);
  }
  return Array.from({ length: INCIDENTS }, (_, index) => [...found.values()][index] ?? next());
}

function mailOf(name: string): string {
  const plain = name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replaceAll(" ", ".");
  return `${plain}@example.com`;
}

function incident(
  index: number,
  report: Report,
  people: number,
  now: Date,
  random: Random,
): SeedRecord {
  const state = stateAt(index);
  const done = state === "Resolved" || state === "Closed";
  const { dueWithinHours, ...severity } = pickSeverity(random.pick);
  const late = random.below(LATE_ONE_IN) === 0;
  // How much of the time until it is due has passed, or had passed when it was resolved.
  const inTime = 0.02 + random.below(state === "New" ? 25 : 90) / 100;
  const share = late ? 1.05 + random.below(60) / 100 : inTime;
  const took = share * dueWithinHours * HOUR_MS + random.below(HOUR_MS / 2);
  const resolved =
    now.getTime() - hoursSinceResolved(state, random) * HOUR_MS - random.below(HOUR_MS);
  const opened = atWorkingHour((done ? resolved : now.getTime()) - took);
  const iso = (time: number) => `${new Date(time).toISOString().slice(0, 19)}+00:00`;
  return {
    table: "incidents",
    id: `seed-${index + 1}`,
    values: {
      ...report,
      ...severity,
      state,
      group: random.pick(groups),
      caller: `person-${1 + random.below(people)}`,
      location: random.pick(locations),
      opened_at: iso(opened),
      due_at: iso(opened + dueWithinHours * HOUR_MS),
      resolved_at: done ? iso(resolved) : null,
      closed_at: state === "Closed" ? iso(resolved + DAYS_UNTIL_CLOSED * DAY_MS) : null,
      reassignments: random.below(4),
      reopenings: random.below(12) === 0 ? 1 : 0,
      sla_met: done ? !late : null,
      resolution_code: done ? random.pick(["Fixed", "Workaround", "User informed"]) : null,
    },
  };
}

/** A resolved incident is closed when nobody has reopened it for some days. */
function hoursSinceResolved(state: string, random: Random): number {
  const closedHours = 24 * DAYS_UNTIL_CLOSED;
  return state === "Closed"
    ? closedHours + 1 + random.below(24 * 30)
    : 1 + random.below(closedHours - 2);
}

/** Nobody reports at night: such times are moved to the evening before. */
function atWorkingHour(time: number): number {
  return new Date(time).getUTCHours() < 6 ? time - 7 * HOUR_MS : time;
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
