import type { Values } from "../../shared/model/model.ts";
import type { Random } from "../../shared/random.ts";
import { pickReport, pickSeverity } from "../model/templates/service-desk-reports.ts";
import { awaitings, groups, locations, notes, priorities, resolutions } from "./lines.ts";

/** The simulated user, with its randomness and clock. */
export interface Actor {
  id: string;
  name: string;
  group: string;
  random: Random;
  now(): Date;
}

/** A simulated edit: the cursor's field, how long, and what is then written. */
interface SimulatedEdit {
  field: string;
  set: Values;
  typingMs: number;
}

const NOTES_MAX_LENGTH = 1_500;
const QUICK_MS = 700;
const WRITING_MS = 2_500;
const HOUR_MS = 3_600_000;
/** A resolved incident is left alone for this long: its user may reopen it. */
const CLOSED_AFTER_MS = 48 * HOUR_MS;

/** A plausible next edit of the incident; null if there is none. */
export function nextEdit(incident: Readonly<Values>, actor: Actor): SimulatedEdit | null {
  const { random } = actor;
  const state = String(incident.state);
  if (state === "Closed") return null;
  if (state === "New") return pickUp(actor);
  if (state === "Resolved") return mayBeClosed(incident, actor.now()) ? close(actor) : null;
  if (state.startsWith("Awaiting")) {
    return random.chance(65) ? quick("state", { state: "Active" }) : note(incident, actor);
  }
  const mine = incident.assignee === actor.id || incident.assignee === null;
  const dice = random.below(100);
  if (dice < 44) return note(incident, actor);
  if (dice < 50) return reprioritise(incident, actor);
  if (!mine) return dice < 75 ? note(incident, actor) : wait(incident, actor);
  if (dice < 75) return wait(incident, actor);
  return dice < 92 ? resolve(actor) : handOver(incident, actor);
}

function pickUp({ id, group }: Actor): SimulatedEdit {
  return quick("assignee", { state: "Active", assignee: id, group });
}

function note(incident: Readonly<Values>, actor: Actor, text?: string): SimulatedEdit {
  const { random, name } = actor;
  const time = actor.now().toISOString().slice(11, 16);
  const line = `${time} ${name.split(" ")[0]}: ${text ?? random.pick(notes)}`;
  const before = typeof incident.notes === "string" ? `${incident.notes}\n` : "";
  const written = newestLines(`${before}${line}`);
  return { field: "notes", set: { notes: written }, typingMs: WRITING_MS + random.below(3_000) };
}

/** As many whole lines from the end as the field holds. */
function newestLines(notes: string): string {
  const fitting = notes.slice(-NOTES_MAX_LENGTH);
  return fitting === notes ? notes : fitting.slice(fitting.indexOf("\n") + 1);
}

/** One step up or down. */
function reprioritise(incident: Readonly<Values>, { random }: Actor): SimulatedEdit {
  const rank = (priorities as readonly string[]).indexOf(String(incident.priority));
  const steps = [rank - 1, rank + 1].flatMap((step) => priorities[step] ?? []);
  return quick("priority", { priority: random.pick(steps) });
}

/** Whether an incident was resolved long enough ago to be worked on again. */
export function mayBeClosed(incident: Readonly<Values>, now: Date): boolean {
  return now.getTime() - Date.parse(String(incident.resolved_at)) > CLOSED_AFTER_MS;
}

function wait(incident: Readonly<Values>, actor: Actor): SimulatedEdit {
  const [state, why] = actor.random.pick(awaitings);
  const { set, typingMs } = note(incident, actor, why);
  return { field: "state", set: { state, ...set }, typingMs };
}

function resolve(actor: Actor): SimulatedEdit {
  const resolved_at = stamp(actor.now());
  const resolution_code = actor.random.pick(resolutions);
  const sla_met = actor.random.chance(85);
  return quick("state", { state: "Resolved", resolved_at, resolution_code, sla_met });
}

function close(actor: Actor): SimulatedEdit {
  return quick("state", { state: "Closed", closed_at: stamp(actor.now()) });
}

function handOver(incident: Readonly<Values>, { random }: Actor): SimulatedEdit {
  const others = groups.filter((group) => group !== incident.group);
  const reassignments = Number(incident.reassignments ?? 0) + 1;
  return quick("group", {
    group: random.pick(others),
    assignee: null,
    reassignments,
  });
}

function quick(field: string, set: Values): SimulatedEdit {
  return { field, set, typingMs: QUICK_MS };
}

/** An incident reported by phone. */
export function newIncident({ random, now }: Actor): Values {
  const opened = now();
  const { dueWithinHours, ...severity } = pickSeverity(random.pick);
  return {
    ...pickReport(random.pick),
    ...severity,
    group: "Service Desk",
    caller: `person-${1 + random.below(60)}`,
    location: random.pick(locations),
    opened_at: stamp(opened),
    due_at: stamp(new Date(opened.getTime() + dueWithinHours * HOUR_MS)),
  };
}

function stamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}
