import { Box, Button, Group, Textarea } from "@mantine/core";
import { useId, useRef } from "react";
import { commentMessages as messages } from "../../../messages/en/comments.ts";
import { richText } from "../../../messages/rich-text.tsx";
import { ChoiceList } from "../../../records/fields/choice-list.tsx";
import { isSaveKey } from "../../../records/fields/save-key.ts";
import { noFill } from "../../../ui/no-fill.ts";
import { Hint } from "../../../ui/texts.ts";
import classes from "./comments.module.css";
import type { Draft, Thread } from "./use-draft.ts";
import { useMentionable } from "./use-mentionable.ts";
import { useSend } from "./use-send.ts";

const MIN_ROWS = 2;
const MAX_ROWS = 8;

interface Props {
  thread: Thread;
  draft: Draft;
  label: string;
  sendLabel: string;
  autoFocus?: boolean;
  /** Sends the text as it is stored. */
  onSend(text: string, id: string): Promise<void>;
  /** All that was typed is sent. */
  onSent?: () => void;
  onCancel?: () => void;
}

/** An input for a comment: `@` completes the names of users who can read the record, Ctrl+Enter sends. */
export function CommentEditor(props: Props) {
  const { thread, draft, label, sendLabel, onCancel } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  const list = useMentionable(thread, draft, () => area.current);
  const { send, busy, problem } = useSend(draft, props);
  const id = useId();
  const isListed = list.isOpen && list.users.length > 0;
  return (
    <Box pos="relative">
      {list.isOpen && <Users id={id} list={list} />}
      <Textarea
        {...noFill}
        ref={area}
        dir="auto"
        resize="vertical"
        rows={Math.min(MAX_ROWS, Math.max(MIN_ROWS, draft.text.split("\n").length))}
        value={draft.text}
        placeholder={messages.placeholder()}
        aria-label={label}
        error={problem}
        errorProps={{ role: "alert" }}
        aria-autocomplete="list"
        aria-controls={list.isOpen ? id : undefined}
        aria-activedescendant={isListed ? `${id}-${list.active}` : undefined}
        autoFocus={props.autoFocus}
        onChange={({ target }) => {
          draft.write(target.value);
          list.onTyped(target.value, target.selectionStart);
        }}
        onKeyDown={(event) => {
          if (list.onKey(event) || !isSaveKey(event)) return;
          event.preventDefault();
          void send();
        }}
        onBlur={list.close}
      />
      <Group gap={8} justify="flex-end" wrap="nowrap" mt={6}>
        <Hint span flex="1" fz="xs" className={classes.keys ?? ""}>
          {richText(messages.keys(), { kbd: (key) => <kbd>{key}</kbd> })}
        </Hint>
        {onCancel && (
          <Button size="compact-sm" variant="subtle" onClick={onCancel}>
            {messages.cancel()}
          </Button>
        )}
        <Button
          size="compact-sm"
          loading={busy}
          disabled={draft.text.trim() === ""}
          onClick={() => void send()}
        >
          {sendLabel}
        </Button>
      </Group>
    </Box>
  );
}

function Users({ id, list }: { id: string; list: ReturnType<typeof useMentionable> }) {
  const { users, active } = list;
  const choices = users.map((user) => ({ value: user.id, label: user.name, colour: user.colour }));
  return (
    <div className={classes.choices}>
      <ChoiceList
        id={id}
        label={messages.usersToMention()}
        kind="person"
        choices={choices}
        active={active}
        current={null}
        note={users.length === 0 ? messages.nobody() : undefined}
        onPick={({ value }) => {
          const user = users.find((one) => one.id === value);
          if (user) list.pick(user);
        }}
        onHover={list.setActive}
      />
    </div>
  );
}
