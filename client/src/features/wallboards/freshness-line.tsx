import { IconPlugConnectedX } from "@tabler/icons-react";
import type { Proof } from "../../../../shared/protocol/freshness.ts";
import { connectionAtom } from "../../state/connection-state.ts";
import { useAtom } from "../../state/use-atom.ts";
import { freshnessText } from "../../tiles/freshness-text.ts";
import { useAge } from "../../tiles/use-freshness.ts";
import { Callout } from "../../ui/callout.tsx";

interface Props {
  proof: Proof;
  zone: string;
}

/** Says that the values of a wallboard are outdated, like a display does. */
export function FreshnessLine({ proof, zone }: Props) {
  const isConnected = useAtom(connectionAtom).kind === "live";
  const age = useAge(proof);
  return (
    <Callout component="p" c="var(--wf-warn)" role="status">
      <IconPlugConnectedX size={16} stroke={1.7} aria-hidden="true" />
      <span>{freshnessText(age, proof.asOf, isConnected, zone)}</span>
    </Callout>
  );
}
