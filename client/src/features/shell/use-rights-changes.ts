import { useEffect, useRef } from "react";
import { useAccountData } from "../../state/use-account.ts";
import { toast } from "../../ui/toast.tsx";
import { describeRightsChange } from "./rights-changes.ts";

/** Shows a toast when the user's rights change while the page is open. */
export function useRightsChanges(): void {
  const account = useAccountData();
  const previous = useRef(account);
  useEffect(() => {
    const message = describeRightsChange(previous.current, account);
    previous.current = account;
    if (message) toast(message);
  }, [account]);
}
