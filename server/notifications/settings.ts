import { type Model, zoneOf } from "../../shared/model/model.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import {
  type CauseSettings,
  type ChangeNotificationsCall,
  inboxCauses,
  type NotificationSettings,
} from "../../shared/protocol/inbox.ts";
import {
  forgetWaitingMail,
  readSettings,
  storeSettings,
  userOfUnsubscribe,
} from "../store/inbox.ts";
import type { Notifications } from "./create-notifications.ts";

/** Of what a user is notified, and how. The zone is that of the installation until they choose one. */
export async function settingsOf(
  { database, model, off }: Notifications,
  user: string,
): Promise<NotificationSettings & Pick<Notifications, "off">> {
  const settings = (await readSettings(database.kysely, [user]))(user);
  return { ...settings, zone: settings.zone ?? zoneOf(model()), off };
}

/** The answer of a route. */
export function toAnswer({ off, ...settings }: Awaited<ReturnType<typeof settingsOf>>) {
  return { ...settings, mailOff: off };
}

export async function changeSettings(
  notifications: Notifications,
  user: string,
  call: ChangeNotificationsCall,
): Promise<ReturnType<typeof toAnswer>> {
  const { kysely } = notifications.database;
  await kysely.transaction().execute(async (tx) => {
    const { zone, ...settings } = (await readSettings(tx, [user]))(user);
    const known = { ...settings, ...(zone !== null && { zone }) };
    const changes = Object.entries(call).filter(([, value]) => value !== undefined);
    await storeSettings(tx, user, { ...known, ...Object.fromEntries(changes) });
  });
  return toAnswer(await settingsOf(notifications, user));
}

/** Ends all mail of notifications. Whoever has the link may: it is in the mails. */
export async function unsubscribe({ database }: Notifications, token: string): Promise<void> {
  await database.kysely.transaction().execute(async (tx) => {
    const user = await userOfUnsubscribe(tx, token);
    if (user === null) throw new Refusal("not_found");
    const { zone, ...settings } = (await readSettings(tx, [user]))(user);
    const withoutMail = inboxCauses.map((cause): [string, CauseSettings] => [
      cause,
      { ...settings[cause], mail: "off" },
    ]);
    const known = { ...settings, ...(zone !== null && { zone }) };
    await storeSettings(tx, user, { ...known, ...Object.fromEntries(withoutMail) });
    await forgetWaitingMail(tx, user);
  });
}

const MINUTES_PER_HOUR = 60;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const DIGEST_HOUR = 8;

/** The minute of the day in a zone. */
function minuteOfDay(at: number, zone: string): number {
  const text = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(at);
  return minutesOf(text);
}

function minutesOf(text: string): number {
  const [hours = 0, minutes = 0] = text.split(":").map(Number);
  return hours * MINUTES_PER_HOUR + minutes;
}

/** Whether no mail is wanted at this moment. */
export function isQuiet(
  { quiet }: Pick<NotificationSettings, "quiet">,
  at: number,
  zone: string,
): boolean {
  if (!quiet) return false;
  const [now, from, to] = [minuteOfDay(at, zone), minutesOf(quiet.from), minutesOf(quiet.to)];
  return from <= to ? now >= from && now < to : now >= from || now < to;
}

/**
 * The last time that it was 08:00 in the zone. Days on which clocks change are up to an hour longer or shorter: the digest of such a day
 * may be early or late by that.
 */
export function lastDigestTime(at: number, zone: string): number {
  const since = minuteOfDay(at, zone) - DIGEST_HOUR * MINUTES_PER_HOUR;
  const thisMinute = at - (at % MINUTE_MS);
  return thisMinute - since * MINUTE_MS - (since < 0 ? DAY_MS : 0);
}

/** The zone of a user without a choice. */
export const zoneOfUser = ({ zone }: { zone: string | null }, model: () => Model): string =>
  zone ?? zoneOf(model());
