import { ownZone } from "../../../shared/filter/zone.ts";

/*
 * Where days begin for this user: in filters such as "today", in groups by days, and on the dashboard. It is the zone of the
 * installation, so that two users who count the same count alike, unless the user has chosen that of their device. Times
 * are shown in the zone of the device.
 */

let installation: string | null = null;
let usesDevice = false;

/** The zone of the published model; null without one. */
export function setInstallationZone(zone: string | null): void {
  installation = zone;
}

/** Whether the user wants the days of their device. */
export function setDeviceDays(on: boolean): void {
  usesDevice = on;
}

/** The zone of this user's days. That of the device where no model says another one. */
export function dayZone(): string {
  return (usesDevice ? null : installation) ?? ownZone();
}
