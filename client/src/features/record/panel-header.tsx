import { ActionIcon, Tooltip } from "@mantine/core";
import { IconChevronDown, IconChevronUp, IconLink, IconX } from "@tabler/icons-react";
import type { Table } from "../../../../shared/model/model.ts";
import type { RecordView } from "../../state/record-view.ts";
import { copyText } from "../../ui/copy-text.ts";
import { recordAddress } from "../../ui/record-address.ts";
import classes from "./record.module.css";
import { RecordPresence } from "./record-presence.tsx";

interface Props {
  table: Table;
  id: string;
  record: RecordView | null;
  onStep(step: 1 | -1): void;
  onClose(): void;
}

/** The panel's head: which record this is, who else is on it, and the ways on from here. */
export function PanelHeader({ table, id, record, onStep, onClose }: Props) {
  const display = record?.values[table.display];
  const fallbackTitle = record?.pending === "draft" ? `New ${table.recordLabel}` : id;
  return (
    <header className={classes.header}>
      <div className={classes.naming}>
        <span className={classes.kind}>{table.recordLabel}</span>
        <h2 dir="auto" className={classes.title}>
          {typeof display === "string" && display ? display : fallbackTitle}
        </h2>
      </div>
      <RecordPresence table={table.name} record={id} />
      <span className={classes.buttons}>
        <Tooltip label="Previous record">
          <ActionIcon size={30} aria-label="Previous record" onClick={() => onStep(-1)}>
            <IconChevronUp size={18} />
          </ActionIcon>
        </Tooltip>
        <Tooltip label="Next record">
          <ActionIcon size={30} aria-label="Next record" onClick={() => onStep(1)}>
            <IconChevronDown size={18} />
          </ActionIcon>
        </Tooltip>
        <Tooltip label="Copy a link to this record">
          <ActionIcon
            size={30}
            aria-label="Copy a link to this record"
            onClick={() => void copyText(linkTo(table.name, id), "Link copied.")}
          >
            <IconLink size={18} />
          </ActionIcon>
        </Tooltip>
        <Tooltip label="Close (Esc)">
          <ActionIcon size={30} aria-label="Close the panel" onClick={onClose}>
            <IconX size={18} />
          </ActionIcon>
        </Tooltip>
      </span>
    </header>
  );
}

function linkTo(table: string, id: string): string {
  return `${location.origin}${recordAddress(table, id)}`;
}
