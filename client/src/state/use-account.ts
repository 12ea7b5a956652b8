import { useAtom, useAtomValue } from "jotai/react";
import type { Model, Table } from "../../../shared/model/model.ts";
import { findTable } from "../../../shared/model/model.ts";
import type { Abilities } from "../../../shared/policy/abilities.ts";
import type { SessionInfo } from "../../../shared/protocol/session.ts";
import {
  type Account,
  type AccountData,
  accountAtom,
  type SignOutPhase,
  signOutAtom,
} from "./account.ts";
import { store } from "./store.ts";

/** Whether somebody is signed in, and who. */
export function useAccount(): Account {
  return useAtomValue(accountAtom, { store });
}

/** The user, their abilities and the model. Only for screens inside the shell, where they are known. */
export function useAccountData(): AccountData {
  const account = useAccount();
  if ("data" in account) return account.data;
  throw new Error("useAccountData used outside the shell");
}

/** The model, as far as the user may see it. */
export function useModel(): Model {
  return useAccountData().model;
}

/** A table of the model; undefined if it does not exist or the user may not read it. */
export function useTable(name: string): Table | undefined {
  const { model, session } = useAccountData();
  return session.abilities.tables[name]?.read ? findTable(model, name) : undefined;
}

/** The signed-in user's abilities. */
export function useAbilities(): Abilities {
  return useAccountData().session.abilities;
}

/** The signed-in user. */
export function useMe(): SessionInfo["user"] {
  return useAccountData().session.user;
}

/** The phase of signing out, and a function to change it. */
export function useSignOutPhase(): [SignOutPhase, (phase: SignOutPhase) => void] {
  return useAtom(signOutAtom, { store });
}
