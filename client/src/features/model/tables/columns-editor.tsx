import { ActionIcon, Box, Stack } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { findField } from "../../../../../shared/model/model.ts";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { moveItem } from "../../../records/order/move-item.ts";
import order from "../../../records/order/order.module.css";
import { OrderButtons } from "../../../records/order/order-buttons.tsx";
import { PickToAdd } from "../../../records/order/pick-to-add.tsx";
import { useTableEditor } from "../draft/use-table-editor.ts";
import { Problem } from "../parts/problem.tsx";

/** The default columns of the table, in order. */
export function ColumnsEditor() {
  const { table, change } = useTableEditor();
  const { columns } = table;
  const remaining = table.fields.filter(({ name }) => !columns.includes(name));
  return (
    <Stack component="fieldset" gap={8}>
      <legend>{messages.columns()}</legend>
      <Stack component="ol" gap={4}>
        {columns.map((name, index) => {
          const label = findField(table, name)?.label ?? name;
          return (
            <Box component="li" key={name} className={order.key} ps={12}>
              <span className={order.name}>{label}</span>
              <OrderButtons
                of={label}
                index={index}
                count={columns.length}
                onMove={(by) =>
                  change((one) => ({ ...one, columns: moveItem(one.columns, index, by) }))
                }
              />
              <ActionIcon
                size="sm"
                aria-label={messages.removeColumn({ field: label })}
                onClick={() =>
                  change((one) => ({
                    ...one,
                    columns: one.columns.filter((column) => column !== name),
                  }))
                }
              >
                <IconX size={15} />
              </ActionIcon>
              <Problem at={["columns", index]} span flex="1 0 100%" />
            </Box>
          );
        })}
      </Stack>
      {remaining.length > 0 && (
        <PickToAdd
          width={220}
          label={messages.addColumn()}
          choices={remaining}
          onPick={(name) => change((one) => ({ ...one, columns: [...one.columns, name] }))}
        />
      )}
    </Stack>
  );
}
