import { Button } from "@mantine/core";
import { importMessages as messages } from "../../messages/en/import.ts";
import classes from "../../ui/file-import/file-import.module.css";

/** How much of a file was sent, and the way to end it. */
export function UploadBar({ part, onCancel }: { part: number; onCancel: () => void }) {
  const percent = Math.floor(part * 100);
  const text = percent < 100 ? messages.uploading({ percent }) : messages.checking();
  return (
    <div className={classes.upload}>
      <progress value={percent} max={100} aria-label={messages.preview()} />
      <span role="status">{text}</span>
      <Button variant="default" onClick={onCancel}>
        {messages.cancel()}
      </Button>
    </div>
  );
}
