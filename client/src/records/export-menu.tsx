import { Button, Menu } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { uiMessages } from "../messages/en/ui.ts";
import classes from "./toolbar/toolbar.module.css";

export interface ExportFile {
  label: string;
  /** The path of its route, below `/api/v1`. */
  path: string;
}

/** Links to files. In a toolbar the button is small, and only an icon where there is little space. */
export function ExportMenu({
  files,
  inToolbar = false,
}: {
  files: ExportFile[];
  inToolbar?: boolean;
}) {
  const label = uiMessages.export();
  const icon = <IconDownload size={inToolbar ? 16 : 17} aria-hidden="true" />;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        {inToolbar ? (
          <Button
            className={classes.iconic ?? ""}
            variant="default"
            size="xs"
            aria-label={label}
            leftSection={icon}
          >
            <span className={classes.wide}>{label}</span>
          </Button>
        ) : (
          <Button variant="default" leftSection={icon}>
            {label}
          </Button>
        )}
      </Menu.Target>
      <Menu.Dropdown>
        {files.map((file) => (
          <Menu.Item key={file.path} component="a" href={`/api/v1${file.path}`} download>
            {file.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
