import { IconPlugConnectedX } from "@tabler/icons-react";
import type { Proof } from "../../../../shared/protocol/freshness.ts";
import { useConnection } from "../../state/use-connection.ts";
import { freshnessText } from "../../tiles/freshness-text.ts";
import { useAge } from "../../tiles/use-freshness.ts";
import classes from "./dashboard-screen.module.css";

/** Says that the values are old, and of when. */
export function FreshnessNote({ proof }: { proof: Proof | null }) {
  const isConnected = useConnection().kind === "live";
  const age = useAge(proof);
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return (
    <p className={classes.cut} role="status">
      <IconPlugConnectedX size={16} stroke={1.7} aria-hidden="true" />
      {freshnessText(age, proof?.asOf ?? null, isConnected, timeZone)}. Values update automatically
      when {isConnected ? "the database is back" : "the connection is back"}.
    </p>
  );
}
