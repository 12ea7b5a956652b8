import { Button, CopyButton, Group, Stack, Text, TextInput } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";

interface Props {
  label: string;
  /** To whom it goes, and what it does. */
  text: string;
  link: string;
  onDone: () => void;
}

/** A link to send to somebody. It is a key, and is not shown a second time. */
export function OneTimeLink(props: Props) {
  return (
    <Stack gap="md">
      <Text c="dimmed">{props.text}</Text>
      <TextInput
        label={props.label}
        value={props.link}
        readOnly
        data-autofocus
        onFocus={(event) => event.currentTarget.select()}
      />
      <Group justify="flex-end" gap="sm">
        <CopyButton value={props.link}>
          {({ copied, copy }) => (
            <Button
              variant={copied ? "light" : "filled"}
              leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
              onClick={copy}
            >
              {copied ? "Copied" : "Copy the link"}
            </Button>
          )}
        </CopyButton>
        <Button variant="default" onClick={props.onDone}>
          Done
        </Button>
      </Group>
    </Stack>
  );
}
