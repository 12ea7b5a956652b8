import type { PatchUserCall, UserInfo } from "../../../../shared/protocol/users.ts";
import { changeUser } from "../../sync/calls/users.ts";
import { toast, toastProblem } from "../../ui/toast.tsx";

/** Changes a user, says so, and offers `back` as the way back where there is one. */
export type Change = (call: PatchUserCall, said: string, back?: PatchUserCall) => Promise<void>;

export function changeOf(user: UserInfo, onChanged: () => void): Change {
  const change: Change = async (call, said, back) => {
    try {
      await changeUser(user.id, call);
      toast(said, back && (() => void change(back, `${user.name}: taken back.`)));
    } catch (error) {
      toastProblem(error);
    }
    onChanged();
  };
  return change;
}
