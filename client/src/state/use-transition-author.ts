import { useMemo } from "react";
import { zoneOf } from "../../../shared/model/model.ts";
import type { TransitionAuthor } from "../../../shared/policy/possible-transitions.ts";
import { useAccountData } from "./use-account.ts";

/** The current user as the author of a table's transitions, to disable those that the server would refuse. */
export function useTransitionAuthor(table: string): TransitionAuthor {
  const { session, model } = useAccountData();
  const { user, abilities } = session;
  const zone = zoneOf(model);
  const transitions = abilities.tables[table]?.transitions ?? false;
  return useMemo(
    () => ({ id: user.id, role: user.role, attributes: user.attributes, transitions, zone }),
    [user, transitions, zone],
  );
}
