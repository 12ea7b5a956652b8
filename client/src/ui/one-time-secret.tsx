import { Button, CopyButton, Group, Stack, Text, TextInput } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { uiMessages as messages } from "../messages/en/ui.ts";

interface Props {
  label: string;
  /** What it is for, and that it is shown only now. */
  text: string;
  secret: string;
  copyLabel: string;
  /** How to use it. */
  children?: ReactNode;
  onDone: () => void;
}

/** A credential that is shown only once: a link to send to a user, or an API token. */
export function OneTimeSecret(props: Props) {
  return (
    <Stack gap="md">
      <Text c="dimmed">{props.text}</Text>
      <TextInput
        label={props.label}
        value={props.secret}
        readOnly
        data-autofocus
        onFocus={(event) => event.currentTarget.select()}
      />
      {props.children}
      <Group justify="flex-end" gap="sm">
        <CopyButton value={props.secret}>
          {({ copied, copy }) => (
            <Button
              variant={copied ? "light" : "filled"}
              leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
              onClick={copy}
            >
              {copied ? messages.copied() : props.copyLabel}
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
