import type { ChangedUser, PatchUserCall, UserInfo } from "../../../../shared/protocol/users.ts";
import { usersMessages as messages } from "../../messages/en/users.ts";
import { rest } from "../../transport/rest/rest.ts";
import { toast, toastProblem } from "../../ui/toast.tsx";

/** Changes a user and shows `message`, perhaps by the answer; `undo` is the change that reverts it, if any. Throws a refusal. */
export type UserChange = (
  call: PatchUserCall,
  message: string | ((changed: ChangedUser) => string),
  undo?: PatchUserCall,
) => Promise<void>;

export function userChangeFor(user: UserInfo, onChanged: () => void): UserChange {
  const change: UserChange = async (call, message, undo) => {
    let changed: ChangedUser;
    try {
      changed = await rest("PATCH /users/{id}", { params: { id: user.id }, body: call });
    } finally {
      onChanged();
    }
    const revert = (call: PatchUserCall) =>
      change(call, messages.undone({ name: user.name })).catch(toastProblem);
    const text = typeof message === "string" ? message : message(changed);
    toast(text, undo && (() => void revert(undo)));
  };
  return change;
}
