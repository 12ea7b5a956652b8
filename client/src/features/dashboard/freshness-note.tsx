import { IconPlugConnectedX } from "@tabler/icons-react";
import type { Proof } from "../../../../shared/protocol/freshness.ts";
import { dashboardMessages as messages } from "../../messages/en/dashboard.ts";
import { useConnection } from "../../state/use-connection.ts";
import { freshnessText } from "../../tiles/freshness-text.ts";
import { useAge } from "../../tiles/use-freshness.ts";
import classes from "./dashboard-screen.module.css";

/** Says that the values are outdated, and since when. */
export function FreshnessNote({ proof }: { proof: Proof | null }) {
  const isConnected = useConnection().kind === "live";
  const seconds = useAge(proof);
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const age = freshnessText(seconds, proof?.asOf ?? null, isConnected, timeZone);
  return (
    <p className={classes.cut} role="status">
      <IconPlugConnectedX size={16} stroke={1.7} aria-hidden="true" />
      {isConnected ? messages.outdatedDatabase({ age }) : messages.outdatedConnection({ age })}
    </p>
  );
}
