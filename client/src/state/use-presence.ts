import { useAtomValue } from "jotai/react";
import { atom } from "jotai/vanilla";
import { useMemo } from "react";
import type { PresenceUser } from "../../../shared/protocol/presence.ts";
import { store } from "./store.ts";
import { isPresenceKnownAtom, presenceAtom, presentOnAtom } from "./table-state.ts";

/** Everybody on any of the tables, one entry per connection and table, with the table's name. */
export function usePresence(tables: readonly string[]): (PresenceUser & { table: string })[] {
  const key = tables.join("\n");
  const presenceList = useMemo(() => {
    const names = key ? key.split("\n") : [];
    return atom((get) =>
      names.flatMap((table) => get(presenceAtom(table)).map((user) => ({ ...user, table }))),
    );
  }, [key]);
  return useAtomValue(presenceList, { store });
}

/** Whether it is known who is on one of the tables. */
export function useIsPresenceKnown(tables: readonly string[]): boolean {
  const key = tables.join("\n");
  const known = useMemo(
    () => atom((get) => key.split("\n").some((table) => get(isPresenceKnownAtom(table)))),
    [key],
  );
  return useAtomValue(known, { store });
}

/** The others on a record, or in one field of it. Renders only when that changes. */
export function usePresentOn(
  table: string,
  record: string,
  field?: string,
): readonly PresenceUser[] {
  const list = useMemo(() => presentOnAtom(table, record, field), [table, record, field]);
  return useAtomValue(list, { store });
}
