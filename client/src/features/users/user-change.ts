import type { PatchUserCall, UserInfo } from "../../../../shared/protocol/users.ts";
import { usersMessages as messages } from "../../messages/en/users.ts";
import { rest } from "../../transport/rest/rest.ts";
import { toast, toastProblem } from "../../ui/toast.tsx";

/** Changes a user and shows `message`; `undo` is the change that reverts it, if any. Throws a refusal. */
export type UserChange = (
  call: PatchUserCall,
  message: string,
  undo?: PatchUserCall,
) => Promise<void>;

export function userChangeFor(user: UserInfo, onChanged: () => void): UserChange {
  const change: UserChange = async (call, message, undo) => {
    try {
      await rest("PATCH /users/{id}", { params: { id: user.id }, body: call });
    } finally {
      onChanged();
    }
    const revert = (call: PatchUserCall) =>
      change(call, messages.undone({ name: user.name })).catch(toastProblem);
    toast(message, undo && (() => void revert(undo)));
  };
  return change;
}
