import type { MouseEvent, ReactNode } from "react";
import { recordAddress } from "../../../ui/record-address.ts";
import { type RecordPlace, useOpenLinked } from "./open-linked.ts";

interface Props extends RecordPlace {
  className?: string | undefined;
  label?: string;
  children: ReactNode;
}

/** A link to another record: a click opens it in the panel; with Ctrl or ⌘ the browser opens its address. */
export function RecordLink({ table, record, className, label, children }: Props) {
  const open = useOpenLinked();
  const onClick = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open({ table, record });
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
