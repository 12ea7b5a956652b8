import { useEffect, useRef } from "react";
import { useAccountData } from "../../state/use-account.ts";
import { toast } from "../../ui/toast.tsx";
import { describeRightsChange } from "./rights-changes.ts";

/** Says what changed when somebody has changed my rights while I work: screens change under my hands. */
export function useRightsChanges(): void {
  const account = useAccountData();
  const previous = useRef(account);
  useEffect(() => {
    const message = describeRightsChange(previous.current, account);
    previous.current = account;
    if (message) toast(message);
  }, [account]);
}
