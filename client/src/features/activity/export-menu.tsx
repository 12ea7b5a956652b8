import { Button, Menu } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { requestOf } from "../../../../shared/contract/call.ts";
import { activityMessages as messages } from "../../messages/en/activity.ts";
import type { ChangeFilter } from "../../sync/calls/change-log.ts";

const formats = [
  { name: "GET /changes/export.csv", label: messages.exportCsv },
  { name: "GET /changes/export.jsonl", label: messages.exportJsonLines },
] as const;

/** Links to files of the changes that match a filter. */
export function ExportMenu({ filter }: { filter: ChangeFilter }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={17} aria-hidden="true" />}>
          {messages.export()}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {formats.map(({ name, label }) => {
          const { path } = requestOf(name, { query: filter });
          return (
            <Menu.Item key={name} component="a" href={`/api/v1${path}`} download>
              {label()}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
