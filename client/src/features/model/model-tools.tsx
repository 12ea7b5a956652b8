import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { IconArrowBackUp, IconArrowForwardUp, IconHistory } from "@tabler/icons-react";
import { Link } from "wouter";
import { modelMessages as messages } from "../../messages/en/model.ts";
import { VERSIONS } from "./addresses.ts";
import { useDraft } from "./draft/use-draft.tsx";
import classes from "./model.module.css";

/** Undo, redo and the link to the versions. */
export function ModelTools() {
  const { store, canUndo, canRedo } = useDraft();
  return (
    <div className={classes.tools}>
      <Tooltip label={messages.undo()}>
        <ActionIcon
          size={36}
          aria-label={messages.undoDraft()}
          disabled={!canUndo}
          onClick={() => store.undo()}
        >
          <IconArrowBackUp size={18} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={messages.redo()}>
        <ActionIcon
          size={36}
          aria-label={messages.redoDraft()}
          disabled={!canRedo}
          onClick={() => store.redo()}
        >
          <IconArrowForwardUp size={18} />
        </ActionIcon>
      </Tooltip>
      <Button
        component={Link}
        href={VERSIONS}
        variant="default"
        leftSection={<IconHistory size={16} aria-hidden="true" />}
      >
        {messages.versions()}
      </Button>
    </div>
  );
}
