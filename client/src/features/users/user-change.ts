import type { PatchUserCall, UserInfo } from "../../../../shared/protocol/users.ts";
import { changeUser } from "../../sync/calls/users.ts";
import { toast, toastProblem } from "../../ui/toast.tsx";

/** Changes a user, says so, and offers `back` as the way back where there is one. */
export type UserChange = (
  call: PatchUserCall,
  message: string,
  undo?: PatchUserCall,
) => Promise<void>;

export function userChangeFor(user: UserInfo, onChanged: () => void): UserChange {
  const change: UserChange = async (call, message, undo) => {
    try {
      await changeUser(user.id, call);
      toast(message, undo && (() => void change(undo, `${user.name}: taken back.`)));
    } catch (error) {
      toastProblem(error);
    }
    onChanged();
  };
  return change;
}
