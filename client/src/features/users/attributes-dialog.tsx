import { ActionIcon, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useId, useState } from "react";
import type { UserInfo } from "../../../../shared/protocol/users.ts";
import { attributeText } from "../../access/attribute-text.ts";
import { usersMessages as messages } from "../../messages/en/users.ts";
import { AddButton } from "../../ui/add-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormProblem } from "../../ui/form-problem.tsx";
import { noFill } from "../../ui/no-fill.ts";
import { problemText } from "../../ui/problem-text.ts";
import { useSubmit } from "../../ui/use-submit.ts";
import { type AttributeRow, changeOfAttributes, rowsOfAttributes } from "./attribute-rows.ts";
import type { UserChange } from "./user-change.ts";
import classes from "./users-table.module.css";

interface Props {
  user: UserInfo;
  /** All users: their attribute names and values are suggested. */
  users: readonly UserInfo[];
  change: UserChange;
  onClose: () => void;
}

/** The attributes of a user, which row filters of roles may refer to. */
export function AttributesDialog({ user, users, change, onClose }: Props) {
  // Only what differs from the attributes that the form began with is sent: others may change more meanwhile.
  const [before] = useState(user.attributes ?? {});
  const [rows, setRows] = useState(() => rowsOfAttributes(before));
  const names = new Set(users.flatMap(({ attributes = {} }) => Object.keys(attributes)));
  const listId = useId();
  const set = (id: number, part: Partial<AttributeRow>) =>
    setRows(rows.map((row) => (row.id === id ? { ...row, ...part } : row)));
  const send = async () => {
    const attributes = changeOfAttributes(before, rows);
    if (Object.keys(attributes).length > 0) {
      await change({ attributes }, messages.attributesSaved({ name: user.name }));
    }
  };
  const { submit, busy, problem } = useSubmit(send, problemText, onClose);
  return (
    <Dialog onClose={onClose} title={messages.attributesOf({ name: user.name })} size={520}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <FormProblem problem={problem} />
          <Text c="dimmed" size="sm">
            {messages.attributesText()}
          </Text>
          {rows.map((row) => (
            <div key={row.id} className={classes.attribute}>
              <TextInput
                {...noFill}
                aria-label={messages.attribute()}
                placeholder={messages.attributeExample()}
                list={`${listId}-names`}
                value={row.name}
                maxLength={120}
                onChange={(event) => set(row.id, { name: event.currentTarget.value })}
              />
              <TextInput
                {...noFill}
                aria-label={row.name ? messages.valueOf({ name: row.name }) : messages.value()}
                placeholder={messages.valueExample()}
                list={`${listId}-${row.id}`}
                value={row.text}
                onChange={(event) => set(row.id, { text: event.currentTarget.value })}
              />
              <ActionIcon
                aria-label={
                  row.name ? messages.removeAttribute({ name: row.name }) : messages.remove()
                }
                onClick={() => setRows(rows.filter(({ id }) => id !== row.id))}
              >
                <IconX size={16} />
              </ActionIcon>
              <Choices id={`${listId}-${row.id}`} values={valuesOf(users, row.name)} />
            </div>
          ))}
          <Choices id={`${listId}-names`} values={[...names]} />
          <Group justify="space-between">
            <AddButton
              variant="subtle"
              onClick={() => setRows([...rows, { id: nextId(rows), name: "", text: "" }])}
            >
              {messages.addAttribute()}
            </AddButton>
            <Button type="submit" loading={busy}>
              {messages.save()}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

function Choices({ id, values }: { id: string; values: readonly string[] }) {
  return (
    <datalist id={id}>
      {values.map((value) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  );
}

const nextId = (rows: readonly AttributeRow[]) => Math.max(0, ...rows.map(({ id }) => id)) + 1;

function valuesOf(users: readonly UserInfo[], name: string): string[] {
  const texts = users.map(({ attributes = {} }) => attributeText(attributes[name]));
  return [...new Set(texts.filter(Boolean))].sort();
}
