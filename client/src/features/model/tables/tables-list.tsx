import { Button, Stack, Text } from "@mantine/core";
import { IconAlertTriangle, IconFileImport } from "@tabler/icons-react";
import { Link } from "wouter";
import { idOfTable } from "../../../../../shared/model/model.ts";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { moveItem } from "../../../records/order/move-item.ts";
import { OrderButtons } from "../../../records/order/order-buttons.tsx";
import { AddButton } from "../../../ui/add-button.tsx";
import { TableIcon } from "../../../ui/table-icon.tsx";
import { addressOfTable } from "../addresses.ts";
import { problemsBelow } from "../draft/find-problems.ts";
import { useDraft } from "../draft/use-draft.tsx";
import classes from "./tables.module.css";

interface Props {
  open: string | undefined;
  onAdd(): void;
  onAddFromFile(): void;
}

/** The tables of the draft, in the order of the sidebar. */
export function TablesList({ open, onAdd, onAddFromFile }: Props) {
  const { draft, problems, edit } = useDraft();
  return (
    <nav className={classes.nav} aria-label={messages.tables()}>
      <Stack component="ol" gap={2} w="100%">
        {draft.tables.map((table, index) => {
          const id = idOfTable(table);
          const count = problemsBelow(problems, ["tables", index]).length;
          return (
            <li key={id} className={classes.item} data-open={id === open || undefined}>
              <Link
                href={addressOfTable(id)}
                className={classes.link}
                aria-current={id === open ? "page" : undefined}
              >
                <TableIcon table={table.name} />
                <Text span inherit truncate flex="1" miw={0} fw={540}>
                  {table.label || messages.noLabel()}
                </Text>
                {count > 0 && (
                  <IconAlertTriangle
                    color="var(--wf-bad)"
                    size={15}
                    aria-label={messages.problems({ count })}
                  />
                )}
              </Link>
              {id === open && draft.tables.length > 1 && (
                <OrderButtons
                  of={table.label}
                  index={index}
                  count={draft.tables.length}
                  onMove={(by) =>
                    edit((model) => ({ ...model, tables: moveItem(model.tables, index, by) }))
                  }
                />
              )}
            </li>
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
    </nav>
  );
}
