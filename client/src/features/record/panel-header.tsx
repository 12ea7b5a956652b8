import { ActionIcon, Tooltip } from "@mantine/core";
import {
  IconArrowLeft,
  IconChevronDown,
  IconChevronUp,
  IconLink,
  IconX,
} from "@tabler/icons-react";
import type { Table } from "../../../../shared/model/model.ts";
import { recordMessages as messages } from "../../messages/en/record.ts";
import type { RecordView } from "../../state/record-view.ts";
import { copyText } from "../../ui/copy-text.ts";
import { recordAddress } from "../../ui/record-address.ts";
import classes from "./record.module.css";
import { RecordPresence } from "./record-presence.tsx";

export interface HeaderProps {
  table: Table;
  id: string;
  record: RecordView | null;
  /** Goes to a neighbour in the table; null for a record that was opened by a link. */
  onStep: ((step: 1 | -1) => void) | null;
  /** Returns to the record from which this one was opened. */
  onBack: (() => void) | null;
  onClose(): void;
}

/** The header of the panel: the record, other users on it, and the navigation. */
export function PanelHeader({ table, id, record, onStep, onBack, onClose }: HeaderProps) {
  const display = record?.values[table.display];
  const fallbackTitle =
    record?.pending === "draft" ? messages.newRecord({ record: table.recordLabel }) : id;
  return (
    <header className={classes.header}>
      {onBack && (
        <Tooltip label={messages.back()}>
          <ActionIcon size={30} aria-label={messages.back()} onClick={onBack}>
            <IconArrowLeft size={18} />
          </ActionIcon>
        </Tooltip>
      )}
      <div className={classes.naming}>
        <span className={classes.kind}>{table.recordLabel}</span>
        <h2 dir="auto" className={classes.title}>
          {typeof display === "string" && display ? display : fallbackTitle}
        </h2>
      </div>
      <RecordPresence table={table.name} record={id} />
      <span className={classes.buttons}>
        {onStep && (
          <>
            <Tooltip label={messages.previous()}>
              <ActionIcon size={30} aria-label={messages.previous()} onClick={() => onStep(-1)}>
                <IconChevronUp size={18} />
              </ActionIcon>
            </Tooltip>
            <Tooltip label={messages.next()}>
              <ActionIcon size={30} aria-label={messages.next()} onClick={() => onStep(1)}>
                <IconChevronDown size={18} />
              </ActionIcon>
            </Tooltip>
          </>
        )}
        <Tooltip label={messages.copyLink()}>
          <ActionIcon
            size={30}
            aria-label={messages.copyLink()}
            onClick={() => void copyText(linkTo(table.name, id), messages.linkCopied())}
          >
            <IconLink size={18} />
          </ActionIcon>
        </Tooltip>
        <Tooltip label={messages.closeHint()}>
          <ActionIcon size={30} aria-label={messages.close()} onClick={onClose}>
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
