import { Button, FileButton, Group, Textarea } from "@mantine/core";
import { IconClipboardText, IconUpload } from "@tabler/icons-react";
import { type DragEvent, useState } from "react";
import { importMessages as messages } from "../../messages/en/import.ts";
import { noFill } from "../../ui/no-fill.ts";
import { Dim } from "../../ui/texts.ts";
import classes from "./file-import.module.css";

const ACCEPTED = ".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain";

/** Takes a file: chosen, dropped, or as pasted text. */
export function FilePicker({ onFile }: { onFile: (file: File) => void }) {
  const [isPasting, setPasting] = useState(false);
  const [isOver, setOver] = useState(false);
  const [text, setText] = useState("");
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file) onFile(file);
  };
  return (
    <section
      className={classes.picker}
      data-over={isOver || undefined}
      aria-label={messages.file()}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <Group gap="8px 12px">
        <FileButton
          onChange={(file) => file && onFile(file)}
          accept={ACCEPTED}
          // Browsers fire no change event when the same file is chosen again, although it may be corrected by now.
          inputProps={{
            onClick: ({ currentTarget }) => {
              currentTarget.value = "";
            },
          }}
        >
          {(props) => (
            <Button {...props} leftSection={<IconUpload size={16} aria-hidden="true" />}>
              {messages.choose()}
            </Button>
          )}
        </FileButton>
        <Button
          variant="default"
          leftSection={<IconClipboardText size={16} aria-hidden="true" />}
          aria-expanded={isPasting}
          onClick={() => setPasting(!isPasting)}
        >
          {messages.paste()}
        </Button>
        <Dim textWrap="pretty" className={classes.drop ?? ""}>
          {messages.drop()}
        </Dim>
      </Group>
      {isPasting && (
        <div className={classes.pasted}>
          <Textarea
            {...noFill}
            label={messages.pasteLabel()}
            description={messages.pasteHint()}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            rows={8}
            autoFocus
            spellCheck={false}
          />
          <Button
            variant="light"
            disabled={text.trim() === ""}
            onClick={() => onFile(new File([text], messages.pastedName()))}
          >
            {messages.takePasted()}
          </Button>
        </div>
      )}
    </section>
  );
}
