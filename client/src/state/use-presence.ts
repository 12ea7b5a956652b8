import { useAtomValue } from "jotai/react";
import { atom } from "jotai/vanilla";
import { useMemo } from "react";
import type { PresenceUser } from "../../../shared/protocol/presence.ts";
import { store } from "./store.ts";
import { presenceAtom } from "./table-state.ts";

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
