import { atom } from "jotai/vanilla";

/** How many records are in one state. */
interface StateCount {
  value: string;
  label: string;
  /** A colour name of the palette. */
  colour: string | undefined;
  open: boolean;
  count: number;
}

/** How many records of a table I may read, and how many still need work where the table has states. */
export interface TableCount {
  all: number;
  open: number | null;
  states: readonly StateCount[];
}

/** Counts by table, as far as known: for the sidebar and the first screen. */
export const tableCountsAtom = atom<Readonly<Record<string, TableCount>>>({});
