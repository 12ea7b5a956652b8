import { IconPlugConnectedX } from "@tabler/icons-react";
import { formatMoment } from "../../ui/numbers.ts";
import classes from "./dashboard-screen.module.css";

/** Says that the figures are old, and of when. */
export function CutNote({ asOf }: { asOf: string | null }) {
  return (
    <p className={classes.cut} role="status">
      <IconPlugConnectedX size={16} stroke={1.7} aria-hidden="true" />
      No connection{asOf ? `: these figures are of ${formatMoment(asOf)}` : ""}. They move again by
      themselves.
    </p>
  );
}
