import { Button, CopyButton, Group, Stack, Text } from "@mantine/core";
import { IconCheck, IconCopy, IconDownload } from "@tabler/icons-react";
import { meMessages as messages } from "../../messages/en/me.ts";
import classes from "./recovery-code-list.module.css";

/** Recovery codes, shown once: to copy or to save. */
export function RecoveryCodeList({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const text = `${codes.join("\n")}\n`;
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${messages.codesFile()}\n\n${text}`)}`;
  return (
    <Stack gap="md">
      <Text c="dimmed">{messages.codesText()}</Text>
      <ul className={classes.codes} aria-label={messages.recoveryCodes()}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group justify="space-between" gap="sm">
        <Group gap="sm">
          <CopyButton value={text}>
            {({ copied, copy }) => (
              <Button
                variant="default"
                leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
                onClick={copy}
              >
                {copied ? messages.copied() : messages.copy()}
              </Button>
            )}
          </CopyButton>
          <Button
            component="a"
            variant="default"
            href={file}
            download="watchfloor-recovery-codes.txt"
            leftSection={<IconDownload size={16} />}
          >
            {messages.save()}
          </Button>
        </Group>
        <Button onClick={onDone} data-autofocus>
          {messages.codesSaved()}
        </Button>
      </Group>
    </Stack>
  );
}
