import { Stack } from "@mantine/core";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { SortKeys } from "../../../records/order/sort-keys.tsx";
import { useTableEditor } from "../draft/use-table-editor.ts";

/** The default sort order of a table's records. */
export function SortEditor() {
  const { table, change, problem } = useTableEditor();
  return (
    <Stack component="fieldset" gap={8}>
      <legend>{messages.sort()}</legend>
      <SortKeys
        fields={table.fields}
        sort={table.sort}
        problem={(index) => problem("sort", index)}
        onSort={(sort) => change((one) => ({ ...one, sort }))}
      />
    </Stack>
  );
}
