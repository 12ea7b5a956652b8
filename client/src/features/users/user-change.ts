import type { PatchUserCall, UserInfo } from "../../../../shared/protocol/users.ts";
import { usersMessages as messages } from "../../messages/en/users.ts";
import { rest } from "../../transport/rest/rest.ts";
import { toast, toastProblem } from "../../ui/toast.tsx";

/** Changes a user and shows `message`; `undo` is the change that reverts it, if any. */
export type UserChange = (
  call: PatchUserCall,
  message: string,
  undo?: PatchUserCall,
) => Promise<void>;

export function userChangeFor(user: UserInfo, onChanged: () => void): UserChange {
  const change: UserChange = async (call, message, undo) => {
    try {
      await rest("PATCH /users/{id}", { params: { id: user.id }, body: call });
      toast(message, undo && (() => void change(undo, messages.undone({ name: user.name }))));
    } catch (error) {
      toastProblem(error);
    }
    onChanged();
  };
  return change;
}
