import { Button, Menu } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { uiMessages } from "../messages/en/ui.ts";
import { SubMenu } from "../ui/sub-menu.tsx";

export interface ExportFile {
  label: string;
  /** The path of its route, below `/api/v1`. */
  path: string;
}

/** A button with links to files. */
export function ExportMenu({ files }: { files: ExportFile[] }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={17} aria-hidden="true" />}>
          {uiMessages.export()}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <ExportItems files={files} />
      </Menu.Dropdown>
    </Menu>
  );
}

/** The same links within another menu. */
export function ExportSubMenu({ files }: { files: ExportFile[] }) {
  return (
    <SubMenu label={uiMessages.export()} icon={<IconDownload size={16} aria-hidden="true" />}>
      <ExportItems files={files} />
    </SubMenu>
  );
}

function ExportItems({ files }: { files: ExportFile[] }) {
  return files.map((file) => (
    <Menu.Item key={file.path} component="a" href={`/api/v1${file.path}`} download>
      {file.label}
    </Menu.Item>
  ));
}
