import type { MouseEvent, ReactNode } from "react";
import { recordAddress } from "../../../../../shared/record-address.ts";
import type { RecordPlace } from "../../../records/record-trail.ts";
import { useOpenLinked } from "./open-linked.ts";

interface Props extends RecordPlace {
  className?: string | undefined;
  label?: string;
  /** The list that it is in. */
  among?: readonly RecordPlace[];
  children: ReactNode;
}

/** A link to another record: a click opens it in the panel; with Ctrl or ⌘ the browser opens its address. */
export function RecordLink({ table, record, className, label, among, children }: Props) {
  const open = useOpenLinked();
  const onClick = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open({ table, record }, among);
  };
  return (
    <a
      dir="auto"
      href={recordAddress(table, record)}
      className={className}
      aria-label={label}
      title={label}
      onClick={onClick}
    >
      {children}
    </a>
  );
}
