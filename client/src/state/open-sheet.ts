import { atom } from "jotai/vanilla";
import { store } from "./store.ts";

/**
 * What is done beside any screen, so that its user stays where they are: a field or a table is added or edited, a user invited, a display
 * paired. The sheets belong to the screens of the administration, whose code is loaded with the first of them (app/open-sheet.tsx); what
 * opens one only says so here.
 */
export type Sheet =
  | { kind: "field"; table: string; field?: string }
  | { kind: "table" }
  | { kind: "user" }
  | { kind: "display" };

export const sheetAtom = atom<Sheet | null>(null);

export function openSheet(sheet: Sheet | null): void {
  store.set(sheetAtom, sheet);
}

/** Opens the form of a field beside the grid; without one, that of a new field. */
export function openFieldSheet(table: string, field?: string): void {
  openSheet({ kind: "field", table, ...(field !== undefined && { field }) });
}

/** Where a grid goes once it shows it: a field that was just published, or a new record. */
export interface Arrival {
  table: string;
  field?: string;
  isNew?: true;
}

export const arrivalAtom = atom<Arrival | null>(null);

export function setArrival(arrival: Arrival | null): void {
  store.set(arrivalAtom, arrival);
}
