import { Button } from "@mantine/core";
import { importMessages as messages } from "../../messages/en/import.ts";
import classes from "./file-import.module.css";

const units = ["byte", "kilobyte", "megabyte"] as const;

/** The chosen file, and the way to another one. */
export function FileFacts({ file, onOther }: { file: File; onOther: () => void }) {
  return (
    <p className={classes.facts}>
      <span dir="auto">{messages.fileFacts({ name: file.name, size: sizeText(file.size) })}</span>
      <Button variant="subtle" size="compact-sm" onClick={onOther}>
        {messages.otherFile()}
      </Button>
    </p>
  );
}

function sizeText(bytes: number): string {
  const step = bytes < 1_000 ? 0 : bytes < 1_000_000 ? 1 : 2;
  const number = new Intl.NumberFormat("en", {
    style: "unit",
    unit: units[step],
    unitDisplay: "long",
    maximumFractionDigits: step,
  });
  return number.format(bytes / 1_000 ** step);
}
