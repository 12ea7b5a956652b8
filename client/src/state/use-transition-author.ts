import { useMemo } from "react";
import type { TransitionAuthor } from "../../../shared/policy/possible-transitions.ts";
import { useAccountData } from "./use-account.ts";

/** Me, as the one who moves records of a table: for greying out by the rules that the server enforces. */
export function useTransitionAuthor(table: string): TransitionAuthor {
  const { user, abilities } = useAccountData().session;
  const transitions = abilities.tables[table]?.transitions ?? false;
  return useMemo(
    () => ({ id: user.id, role: user.role, attributes: user.attributes, transitions }),
    [user, transitions],
  );
}
