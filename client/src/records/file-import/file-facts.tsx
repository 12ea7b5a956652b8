import { Button } from "@mantine/core";
import { importMessages as messages } from "../../messages/en/import.ts";
import { formatBytes } from "../../ui/numbers.ts";
import classes from "./file-import.module.css";

/** The chosen file, and the way to another one. */
export function FileFacts({ file, onOther }: { file: File; onOther: () => void }) {
  return (
    <p className={classes.facts}>
      <span dir="auto">
        {messages.fileFacts({ name: file.name, size: formatBytes(file.size, "long") })}
      </span>
      <Button variant="subtle" size="compact-sm" onClick={onOther}>
        {messages.otherFile()}
      </Button>
    </p>
  );
}
