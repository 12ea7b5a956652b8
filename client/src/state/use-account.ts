import { useAtom, useAtomValue } from "jotai/react";
import type { Model, Table } from "../../../shared/model/model.ts";
import { findTable } from "../../../shared/model/model.ts";
import type { Abilities } from "../../../shared/policy/abilities.ts";
import type { SessionInfo } from "../../../shared/protocol/session-info.ts";
import {
  type Account,
  type AccountData,
  accountAtom,
  type SignOutPhase,
  signOutAtom,
} from "./account.ts";
import { store } from "./store.ts";

/** Where this browser stands with the server. */
export function useAccount(): Account {
  return useAtomValue(accountAtom, { store });
}

/** Who I am, my abilities and the model: on every screen inside the shell, where they are known. */
export function useAccountData(): AccountData {
  const account = useAccount();
  if ("data" in account) return account.data;
  throw new Error("useDesk is for screens inside the shell.");
}

/** The model, as far as it is known to this page. */
export function useModel(): Model {
  return useAccountData().model;
}

/** A table of the model, if there is one of that name that I may read. */
export function useTable(name: string): Table | undefined {
  const { model, session } = useAccountData();
  return session.abilities.tables[name]?.read ? findTable(model, name) : undefined;
}

/** What I may do. */
export function useAbilities(): Abilities {
  return useAccountData().session.abilities;
}

/** Who I am. */
export function useMe(): SessionInfo["user"] {
  return useAccountData().session.user;
}

/** Whether I am on the way out, and how to change my mind. */
export function useSignOutPhase(): [SignOutPhase, (phase: SignOutPhase) => void] {
  return useAtom(signOutAtom, { store });
}
