import { Group, Text } from "@mantine/core";
import { IconArrowUpRight, IconExternalLink, IconMail, IconPhone } from "@tabler/icons-react";
import { useId, useState } from "react";
import type { Json } from "../../../../shared/filter/filter.ts";
import type { Field, Table } from "../../../../shared/model/model.ts";
import type { TableAbilities } from "../../../../shared/policy/abilities.ts";
import { recordMessages as messages } from "../../messages/en/record.ts";
import { locksAll, readOnlyReason } from "../../records/fields/read-only-reason.ts";
import { useLabelUpdates } from "../../records/fields/use-label-updates.ts";
import { OutsideLink } from "../../records/linked-text.tsx";
import { outsideAddress } from "../../records/outside-address.ts";
import type { RecordView } from "../../state/record-view.ts";
import { useAbilities } from "../../state/use-account.ts";
import { usePresentOn } from "../../state/use-presence.ts";
import { pageLabels } from "../../sync/page/page-labels.ts";
import { Hint } from "../../ui/texts.ts";
import { userColour } from "../../ui/user-colour.ts";
import { FieldEditStatus, FieldValue, isEmptyValue } from "./field-value.tsx";
import { FieldBlame } from "./history/field-blame.tsx";
import type { HistoryState } from "./history/use-history.ts";
import linkedStyles from "./linked/linked.module.css";
import { RecordLink } from "./linked/record-link.tsx";
import classes from "./record.module.css";

export interface RecordFieldProps {
  table: Table;
  field: Field;
  abilities: TableAbilities;
  record: RecordView;
}

/** What all fields of the form share. */
export interface RecordFormProps extends Omit<RecordFieldProps, "field"> {
  /** Null for a user who may not see it, and for a draft. */
  history: HistoryState | null;
  onShowHistory(): void;
}

interface Props extends RecordFieldProps, RecordFormProps {
  /** It is the heading of the panel. */
  isTitle?: boolean;
}

/** One field of the form: its label, input or value, its state, and another user in it. */
export function RecordField({ table, field, abilities, record, isTitle, ...of }: Props) {
  const { history, onShowHistory } = of;
  const id = useId();
  const state = record.cells[field.name];
  const value = record.values[field.name] ?? null;
  const readOnly = readOnlyReason(table, field, abilities, record);
  const [presentUser] = usePresentOn(table.name, record.id, field.name);
  const colour = {
    ["--wf-author" as string]: presentUser ? userColour(presentUser.colour) : "transparent",
  };
  const blame = useId();
  const help = useId();
  // It says how to fill the field in, which nobody can any more.
  const isHelped = Boolean(field.help) && !locksAll(table, record.values);
  const describedBy = [isHelped && help, history && blame].filter(Boolean).join(" ");
  const [isBlameOpen, setBlameOpen] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles a key of the input inside it.
    <div
      className={classes.field}
      data-blames=""
      // A tap on a value that can't be edited is in its line, too, which then shows what it offers.
      tabIndex={-1}
      data-title={field.name === table.display || undefined}
      onKeyDown={(event) => {
        if (!event.altKey || event.code !== "KeyH" || !history) return;
        event.preventDefault();
        setBlameOpen(true);
      }}
      data-empty={isEmptyValue(value) ? (field.required ? "needed" : "optional") : undefined}
      data-state={state?.kind}
      data-present={presentUser ? "" : undefined}
      style={colour}
    >
      <Group gap={4} justify="space-between" wrap="nowrap" mih="var(--wf-input-height)">
        <Hint component="label" lh={1.35} htmlFor={readOnly ? undefined : id}>
          {field.label}
          {field.required && (
            <Text span fz="xs">
              {" "}
              {messages.required()}
            </Text>
          )}
          {state?.kind === "pending" && (
            <Text span display="block" fz="xs" fs="italic">
              {messages.notSavedYet()}
            </Text>
          )}
        </Hint>
        <ValueLink field={field} value={value} />
      </Group>
      <div className={classes.value}>
        <FieldValue
          id={id}
          {...{ table, field, abilities, record }}
          describedBy={describedBy || undefined}
          wraps={isTitle}
        />
        {isHelped && (
          <Hint id={help} fz="xs" className={classes.help ?? ""}>
            {field.help}
          </Hint>
        )}
        {history && (
          <FieldBlame
            id={blame}
            {...{ table, field, abilities, record, history }}
            opened={isBlameOpen}
            onOpened={setBlameOpen}
            onShowAll={onShowHistory}
          />
        )}
        {presentUser && (
          <span className={classes.user}>
            {presentUser.mode === "editing"
              ? messages.editing({ user: presentUser.name })
              : presentUser.name}
          </span>
        )}
        <FieldEditStatus id={id} field={field} record={record} />
      </div>
    </div>
  );
}

/** Opens what a value points to: the linked record, a web page, a mail or a call. Nothing for other values. */
function ValueLink({ field, value }: { field: Field; value: Json }) {
  const { tables } = useAbilities();
  useLabelUpdates();
  if (typeof value !== "string" || value === "") return null;
  if (field.type === "link") {
    const { target = "" } = field;
    if (!tables[target]?.read) return null;
    const name = pageLabels().labelOf(field, value) ?? value;
    return (
      <RecordLink
        table={target}
        record={value}
        className={linkedStyles.open}
        label={messages.openLinked({ record: name })}
      >
        <IconArrowUpRight size={15} stroke={1.8} aria-hidden="true" />
      </RecordLink>
    );
  }
  const href = outsideAddress(field.type, value);
  if (href === null) return null;
  const { Icon, label } = outside[href.split(":")[0] ?? ""] ?? outside.https;
  return (
    <OutsideLink href={href} className={linkedStyles.open} label={label({ value })}>
      <Icon size={15} stroke={1.8} aria-hidden="true" />
    </OutsideLink>
  );
}

const web = { Icon: IconExternalLink, label: messages.openAddress };
const outside = {
  https: web,
  http: web,
  mailto: { Icon: IconMail, label: messages.writeTo },
  tel: { Icon: IconPhone, label: messages.call },
} as Record<string, typeof web> & { https: typeof web };
