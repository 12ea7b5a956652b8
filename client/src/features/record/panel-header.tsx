import { Menu, Text } from "@mantine/core";
import {
  IconArrowLeft,
  IconArrowsMaximize,
  IconArrowsMinimize,
  IconChevronDown,
  IconChevronUp,
  IconCopyPlus,
  IconLink,
  IconTrash,
  IconX,
} from "@tabler/icons-react";
import { useLayoutEffect } from "react";
import { displayText, recordTitle } from "../../../../shared/model/display-text.ts";
import type { Field, Table } from "../../../../shared/model/model.ts";
import { recordCard } from "../../../../shared/model/record-card.ts";
import type { TableAbilities } from "../../../../shared/policy/abilities.ts";
import { recordAddress } from "../../../../shared/record-address.ts";
import { inboxMessages } from "../../messages/en/inbox.ts";
import { recordMessages as messages } from "../../messages/en/record.ts";
import { LABEL_WAITING } from "../../records/fields/label-waiting.ts";
import { notDeletableReason } from "../../records/fields/read-only-reason.ts";
import { LabelText } from "../../records/fields/value-mark.tsx";
import { reportOutcomes } from "../../records/report-outcomes.ts";
import { useWatch } from "../../records/use-watch.ts";
import { panelTitleAtom } from "../../state/panel-title.ts";
import { setWidePanel, widePanelAtom } from "../../state/preferences.ts";
import type { RecordView } from "../../state/record-view.ts";
import { store } from "../../state/store.ts";
import { useAtom } from "../../state/use-atom.ts";
import { usePresentOn } from "../../state/use-presence.ts";
import { realignFront } from "../../sync/page/front-list.ts";
import { valuesForCopy } from "../../sync/page/new-values.ts";
import { pageCore } from "../../sync/page/page-core.ts";
import { ActionsMenu } from "../../ui/actions-menu.tsx";
import { copyText } from "../../ui/copy-text.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { Hint } from "../../ui/texts.ts";
import { UserAvatar } from "../../ui/user-avatar.tsx";
import classes from "./record.module.css";
import type { Neighbours } from "./use-neighbours.ts";

export interface HeaderProps {
  table: Table;
  abilities: TableAbilities;
  id: string;
  record: RecordView | null;
  isLoading: boolean;
  /** The field below it that says what the record is about; null if the heading does. */
  title: Field | null;
  neighbours: Neighbours;
  /** Goes to a neighbour; null for a record that was opened by a link in no list. */
  onStep: ((step: 1 | -1) => void) | null;
  /** Shows a copy of the record, in its place. */
  onDuplicated(copy: string): void;
  /** Returns to the record from which this one was opened. */
  onBack: (() => void) | null;
  onClose(): void;
}

/** The header of the panel: the record, other users on it, and the navigation. */
export function PanelHeader(props: HeaderProps) {
  const { table, abilities, id, record, isLoading, title, neighbours } = props;
  const { onStep, onDuplicated, onBack, onClose } = props;
  const isWide = useAtom(widePanelAtom);
  const unnamed = record || !isLoading ? recordTitle(table, id, record?.values) : LABEL_WAITING;
  const fallbackTitle =
    record?.pending === "draft" ? messages.newRecord({ record: table.recordLabel }) : unnamed;
  const displayed = displayText(table, record?.values);
  const name = displayed ?? fallbackTitle;
  // Without a value of the display field it is called by that text already.
  const isNamedByText = displayed === null && record?.pending !== "draft";
  const headline = isNamedByText ? null : headlineOf(table, record);
  const isNamedBeside = title ? displayed !== null && title.name !== table.display : headline;
  useLayoutEffect(() => {
    store.set(panelTitleAtom, { table: table.name, record: id, title: name });
    return () => store.set(panelTitleAtom, null);
  }, [table.name, id, name]);
  return (
    <header className={classes.header}>
      <div className={classes.bar}>
        {onBack && (
          <IconButton label={messages.back()} size={28} onClick={onBack}>
            <IconArrowLeft size={18} />
          </IconButton>
        )}
        <Hint span flex="1" miw={0} fz="xs" truncate>
          <span className={classes.kind}>{table.recordLabel}</span>
          {isNamedBeside && (
            <>
              {" "}
              <span translate="no">{name}</span>
            </>
          )}
        </Hint>
        <RecordPresence table={table.name} record={id} />
        <span className={classes.buttons}>
          {onStep && <StepButtons neighbours={neighbours} onStep={onStep} />}
          <IconButton
            label={messages.widen()}
            tooltip={isWide ? messages.narrow() : messages.widen()}
            size={28}
            className={classes.widen ?? ""}
            aria-pressed={isWide}
            onClick={() => setWidePanel(!isWide)}
          >
            {isWide ? <IconArrowsMinimize size={17} /> : <IconArrowsMaximize size={17} />}
          </IconButton>
          {record && record.pending !== "draft" && (
            <RecordMenu
              {...{ table, abilities, record, onDuplicated }}
              onDeleted={onBack ?? onClose}
            />
          )}
          <IconButton
            label={messages.close()}
            tooltip={messages.closeHint()}
            size={28}
            onClick={onClose}
          >
            <IconX size={18} />
          </IconButton>
        </span>
      </div>
      <h2 dir="auto" translate="no" className={title ? "wf-visually-hidden" : classes.title}>
        {headline ? (
          <>
            <span className="wf-visually-hidden">{name} </span>
            {headline}
          </>
        ) : (
          <LabelText text={name} />
        )}
      </h2>
    </header>
  );
}

interface MenuProps {
  table: Table;
  abilities: TableAbilities;
  record: RecordView;
  onDuplicated(copy: string): void;
  onDeleted(): void;
}

/** What can be done with the record as a whole. */
function RecordMenu({ table, abilities, record, onDuplicated, onDeleted }: MenuProps) {
  const { isWatched, toggle } = useWatch(table.name, { record: record.id });
  const blocked = notDeletableReason(table, abilities, record);
  // Without confirmation but with undo, as in the table.
  const remove = async () => {
    const core = pageCore();
    const { batch, outcomes } = core.edits.deleteMany(table.name, [record.id]);
    onDeleted();
    const results = await outcomes;
    reportOutcomes({ table, core }, { batch, outcomes: results }, "delete");
    if (results.some(({ kind }) => kind === "confirmed")) realignFront(table.name);
  };
  const duplicate = async () => {
    const core = pageCore();
    const values = valuesForCopy(table, record.values);
    const { batch, outcomes, records } = core.edits.createMany(table.name, [values]);
    for (const copy of records) onDuplicated(copy);
    reportOutcomes({ table, core }, { batch, outcomes: await outcomes }, "duplicate");
  };
  return (
    <ActionsMenu label={messages.moreFor({ record: table.recordLabel })} width={220} size={28}>
      <Menu.CheckboxItem
        checked={isWatched === true}
        closeMenuOnClick
        onChange={toggle}
        // On the edge of the others, whose icons are wider than its mark.
        styles={{ itemLabel: { paddingInlineStart: 6 } }}
      >
        {inboxMessages.watchRecord()}
      </Menu.CheckboxItem>
      <Menu.Item
        leftSection={<IconLink size={16} />}
        onClick={() => void copyText(linkTo(table.name, record.id), messages.linkCopied())}
      >
        {messages.copyLink()}
      </Menu.Item>
      {abilities.create && record.mark !== "deleted" && (
        <Menu.Item leftSection={<IconCopyPlus size={16} />} onClick={() => void duplicate()}>
          {messages.duplicate({ record: table.recordLabel })}
        </Menu.Item>
      )}
      {abilities.delete && record.mark !== "deleted" && record.pending !== "delete" && (
        <>
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconTrash size={16} />}
            c={blocked === null ? "var(--wf-bad)" : "dimmed"}
            disabled={blocked !== null}
            onClick={() => void remove()}
          >
            {messages.delete({ record: table.recordLabel })}
            {blocked !== null && <Text size="xs">{blocked}</Text>}
          </Menu.Item>
        </>
      )}
    </ActionsMenu>
  );
}

/** The title of a record's card beside its name; a text of many lines is no heading. */
function headlineOf(table: Table, record: RecordView | null): string | null {
  const { title, name } = recordCard(table);
  return name && title?.type === "text"
    ? displayText({ display: title.name }, record?.values)
    : null;
}

function linkTo(table: string, id: string): string {
  return `${location.origin}${recordAddress(table, id)}`;
}

/** The other users on this record. */
function RecordPresence({ table, record }: { table: string; record: string }) {
  const presentUsers = usePresentOn(table, record);
  if (presentUsers.length === 0) return null;
  return (
    <span className={classes.here}>
      {presentUsers.map((user) => (
        <span key={user.connection} title={messages.userHere({ user: user.name })}>
          <UserAvatar name={user.name} colour={user.colour} size={26} />
        </span>
      ))}
    </span>
  );
}

interface Props {
  neighbours: Neighbours;
  onStep(step: 1 | -1): void;
}

/** The buttons to the previous and the next record. Where there is none they say why, and stay focusable. */
function StepButtons({ neighbours, onStep }: Props) {
  const { previous, next } = neighbours;
  const reason = (atEnd: string) => (previous || next ? atEnd : messages.noNeighbours());
  return (
    <>
      <StepButton
        label={messages.previous()}
        reason={previous ? null : reason(messages.isFirst())}
        Icon={IconChevronUp}
        onClick={() => onStep(-1)}
      />
      <StepButton
        label={messages.next()}
        reason={next ? null : reason(messages.isLast())}
        Icon={IconChevronDown}
        onClick={() => onStep(1)}
      />
    </>
  );
}

interface StepButtonProps {
  label: string;
  /** Why there is no such record. */
  reason: string | null;
  Icon: typeof IconChevronUp;
  onClick(): void;
}

function StepButton({ label, reason, Icon, onClick }: StepButtonProps) {
  return (
    <IconButton
      label={label}
      tooltip={reason ?? label}
      size={28}
      data-disabled={reason !== null || undefined}
      aria-disabled={reason !== null}
      aria-description={reason ?? undefined}
      onClick={onClick}
    >
      <Icon size={18} />
    </IconButton>
  );
}
