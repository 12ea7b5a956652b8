import { Button, CopyButton, Group, Stack, Text } from "@mantine/core";
import { IconCheck, IconCopy, IconDownload } from "@tabler/icons-react";
import classes from "./recovery-code-list.module.css";

/** Codes that are shown this once: to copy, to save, to print. */
export function RecoveryCodeList({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const text = `${codes.join("\n")}\n`;
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`Watchfloor recovery codes\n\n${text}`)}`;
  return (
    <Stack gap="md">
      <Text c="dimmed">
        Each signs you in once when you have no app and no passkey at hand. Keep them where you keep
        your passwords. They won't be shown again.
      </Text>
      <ul className={classes.codes} aria-label="Recovery codes">
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
                {copied ? "Copied" : "Copy"}
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
            Save
          </Button>
        </Group>
        <Button onClick={onDone} data-autofocus>
          I have kept them
        </Button>
      </Group>
    </Stack>
  );
}
