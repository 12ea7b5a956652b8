import { Stack, Text, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { idOfField, idOfTable } from "../../../../../shared/model/model.ts";
import { type Use, useKinds } from "../../../../../shared/protocol/model.ts";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { modelLabelMessages as labels } from "../../../messages/en/model-labels.ts";
import { rest } from "../../../transport/rest/rest.ts";
import { Hint } from "../../../ui/texts.ts";
import { TitledPopover } from "../../../ui/titled-popover.tsx";
import { useRemote } from "../../../ui/use-remote.ts";
import { useDraft } from "../draft/use-draft.tsx";

interface Props {
  /** The identities of a table and a field of it. */
  table: string;
  field?: string;
  option?: string;
}

/**
 * What uses a table, a field or an option, under the names that are published. Nothing is shown for what is not published yet:
 * nothing can use it.
 */
export function UsedBy({ table: tableId, field: fieldId, option }: Props) {
  const { base } = useDraft();
  const table = base.tables.find((one) => idOfTable(one) === tableId);
  const field = table?.fields.find((one) => idOfField(one) === fieldId);
  const isNew = option !== undefined && !field?.options?.some(({ value }) => value === option);
  if (!table || (fieldId !== undefined && !field) || isNew) return null;
  const part = { table: table.name, ...(field && { field: field.name }) };
  return <PublishedUses query={{ ...part, ...(option !== undefined && { option }) }} />;
}

function PublishedUses({ query }: { query: { table: string; field?: string; option?: string } }) {
  const { data, problem } = useRemote(() => rest("GET /model/uses", { query }), {
    key: JSON.stringify(query),
    on: ["views", "wallboard"],
  });
  if (!data) return problem === null ? null : <Hint>{problem}</Hint>;
  return data.items.length === 0 ? <Hint>{messages.unused()}</Hint> : <UseList uses={data.items} />;
}

interface CountProps {
  table: string;
  field: string;
  label: string;
  count: number;
}

/** How many uses a field has, and on request which. */
export function UseCountButton({ table, field, label, count }: CountProps) {
  const [isOpen, setOpen] = useState(false);
  const text = messages.uses({ count });
  return (
    <TitledPopover
      opened={isOpen}
      onOpened={setOpen}
      title={label}
      aria-label={messages.usesOf({ field: label })}
      position="bottom-end"
      tabIndex={-1}
      target={
        <UnstyledButton
          fz="sm"
          c="dimmed"
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          aria-label={`${label}: ${text}`}
          onClick={() => setOpen(!isOpen)}
        >
          {text}
        </UnstyledButton>
      }
    >
      <UsedBy table={table} field={field} />
    </TitledPopover>
  );
}

/** A list of uses. Those that the reader may not see are counted by their kind. */
export function UseList({ uses }: { uses: readonly Use[] }) {
  return (
    <Stack gap={2} fz="sm">
      <Text span inherit fw={600}>
        {messages.usedBy()}
      </Text>
      <ul style={{ margin: 0, paddingInlineStart: 18 }}>
        {textsOf(uses).map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </Stack>
  );
}

function textsOf(uses: readonly Use[]): string[] {
  return useKinds.flatMap((kind) => {
    const ofKind = uses.filter((use) => use.kind === kind);
    const unnamed = ofKind.filter(({ name }) => name === null).length;
    const named = ofKind.flatMap(({ name, within }) => {
      if (name === null) return [];
      const use = { kind: labels[`${kind}Use`](), name };
      return within === null ? messages.namedUse(use) : messages.withinUse({ ...use, within });
    });
    const rest = messages.unnamedUses({ kind: labels[`${kind}Use`](), count: unnamed });
    return [...new Set(named), ...(unnamed > 0 ? [rest] : [])];
  });
}
