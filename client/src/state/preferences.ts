import { atom } from "jotai/vanilla";
import { readFromBrowser, storeInBrowser } from "../transport/storage/browser-storage.ts";
import { setDeviceDays as applyDeviceDays } from "./day-zone.ts";
import { store } from "./store.ts";

/** A user's preferences for this browser. Not stored on the server, because screens differ. */
export type Density = "comfortable" | "compact";

const keys = {
  density: "watchfloor.density",
  sidebar: "watchfloor.sidebar",
  singleKeys: "watchfloor.single-keys",
  widePanel: "watchfloor.wide-panel",
  days: "watchfloor.days",
} as const;

export const densityAtom = atom<Density>(
  readFromBrowser(keys.density) === "compact" ? "compact" : "comfortable",
);
export const sidebarCollapsedAtom = atom<boolean>(readFromBrowser(keys.sidebar) === "collapsed");

export const singleKeysAtom = atom<boolean>(readFromBrowser(keys.singleKeys) !== "off");

export const widePanelAtom = atom<boolean>(readFromBrowser(keys.widePanel) === "on");

/** Whether days begin as on this device, not as in the installation. */
export const deviceDaysAtom = atom<boolean>(readFromBrowser(keys.days) === "device");
applyDeviceDays(store.get(deviceDaysAtom));

export function setDeviceDays(on: boolean): void {
  storeInBrowser(keys.days, on ? "device" : "installation");
  store.set(deviceDaysAtom, on);
  applyDeviceDays(on);
}

/** Sets row heights everywhere at once: CSS follows the attribute, see app/theme.css. */
export function setDensity(density: Density): void {
  document.documentElement.setAttribute("data-density", density);
  storeInBrowser(keys.density, density);
  store.set(densityAtom, density);
}

/** Folds the sidebar to a rail of icons, or unfolds it. */
export function setSidebarCollapsed(collapsed: boolean): void {
  storeInBrowser(keys.sidebar, collapsed ? "collapsed" : "open");
  store.set(sidebarCollapsedAtom, collapsed);
}

/** Turns shortcuts of a single character on or off. */
export function setSingleKeys(on: boolean): void {
  storeInBrowser(keys.singleKeys, on ? "on" : "off");
  store.set(singleKeysAtom, on);
}

/** Makes the record panel wide, or as narrow as usual. */
export function setWidePanel(on: boolean): void {
  storeInBrowser(keys.widePanel, on ? "on" : "off");
  store.set(widePanelAtom, on);
}

/** Whether shortcuts of a single character are wanted, for handlers outside React. */
export function singleKeysEnabled(): boolean {
  return store.get(singleKeysAtom);
}
