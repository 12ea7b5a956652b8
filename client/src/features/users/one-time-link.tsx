import { Button, CopyButton, Group, Stack, Text, TextInput } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { usersMessages as messages } from "../../messages/en/users.ts";

interface Props {
  label: string;
  /** Who to send it to and what it does. */
  text: string;
  link: string;
  onDone: () => void;
}

/** A link to send to a user. It is a credential and is shown only once. */
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
              {copied ? messages.copied() : messages.copyLink()}
            </Button>
          )}
        </CopyButton>
        <Button variant="default" onClick={props.onDone}>
          {messages.done()}
        </Button>
      </Group>
    </Stack>
  );
}
