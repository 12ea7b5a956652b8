import { Button, NativeSelect, Stack, Text } from "@mantine/core";
import { IconAlertTriangle, IconFileImport } from "@tabler/icons-react";
import { memo } from "react";
import { Link } from "wouter";
import { idOfTable } from "../../../../../shared/model/model.ts";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { moveItem } from "../../../records/order/move-item.ts";
import { OrderButtons } from "../../../records/order/order-buttons.tsx";
import { AddButton } from "../../../ui/add-button.tsx";
import { TableIcon } from "../../../ui/table-icon.tsx";
import { zonesWith, zoneText } from "../../../ui/zone-text.ts";
import { addressOfTable } from "../addresses.ts";
import type { ModelDraft } from "../draft/model-draft.ts";
import { useDraft } from "../draft/use-draft.tsx";
import classes from "./tables.module.css";

interface Props {
  open: string | undefined;
  onAdd(): void;
  onAddFromFile(): void;
}

/** The tables of the draft, in the order of the sidebar. */
export function TablesList({ open, onAdd, onAddFromFile }: Props) {
  const { draft, problems, store } = useDraft();
  const { zone = "" } = draft;
  const counts = new Map<unknown, number>();
  for (const { path } of problems) counts.set(path[1], (counts.get(path[1]) ?? 0) + 1);
  return (
    <nav className={classes.nav} aria-label={messages.tables()}>
      <Stack component="ol" gap={2} w="100%">
        {draft.tables.map((table, index) => {
          const id = idOfTable(table);
          return (
            <TableItem
              key={id}
              id={id}
              name={table.name}
              label={table.label || messages.noLabel()}
              problems={counts.get(index) ?? 0}
              index={index}
              count={draft.tables.length}
              isOpen={id === open}
              store={store}
            />
          );
        })}
      </Stack>
      <AddButton variant="subtle" size="compact-md" onClick={onAdd}>
        {messages.addTable()}
      </AddButton>
      <Button
        variant="subtle"
        size="compact-md"
        leftSection={<IconFileImport size={16} aria-hidden="true" />}
        onClick={onAddFromFile}
      >
        {messages.addTableFromFile()}
      </Button>
      <NativeSelect
        mt="md"
        size="xs"
        w="100%"
        label={messages.zone()}
        description={messages.zoneText()}
        value={zone}
        data={[
          ...(zone === "" ? [{ value: "", label: messages.noZone() }] : []),
          ...zonesWith(zone || "UTC").map((one) => ({ value: one, label: zoneText(one) })),
        ]}
        onChange={(event) => {
          const chosen = event.currentTarget.value;
          store.edit((model) => ({ ...model, zone: chosen }));
        }}
      />
    </nav>
  );
}

interface ItemProps {
  id: string;
  name: string;
  label: string;
  problems: number;
  index: number;
  count: number;
  isOpen: boolean;
  store: ModelDraft;
}

/** One of perhaps hundreds: an edit draws only the item that it changes. */
const TableItem = memo(function TableItem(props: ItemProps) {
  const { id, name, label, problems, index, count, isOpen, store } = props;
  return (
    <li className={classes.item} data-open={isOpen || undefined}>
      <Link
        href={addressOfTable(id)}
        className={classes.link}
        aria-current={isOpen ? "page" : undefined}
      >
        <TableIcon table={name} />
        <Text span inherit truncate flex="1" miw={0} fw={600}>
          {label}
        </Text>
        {problems > 0 && (
          <IconAlertTriangle
            color="var(--wf-bad)"
            size={15}
            aria-label={messages.problems({ count: problems })}
          />
        )}
      </Link>
      {isOpen && count > 1 && (
        <OrderButtons
          of={label}
          index={index}
          count={count}
          onMove={(by) =>
            store.edit((model) => ({ ...model, tables: moveItem(model.tables, index, by) }))
          }
        />
      )}
    </li>
  );
});
