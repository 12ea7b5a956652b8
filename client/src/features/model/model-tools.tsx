import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { IconArrowBackUp, IconArrowForwardUp, IconHistory } from "@tabler/icons-react";
import { Link } from "wouter";
import { VERSIONS } from "./addresses.ts";
import { useDraft } from "./draft/use-draft.tsx";
import classes from "./model.module.css";

/** What can be done with the draft at any time: take a change back, look at the versions there were. */
export function ModelTools() {
  const { store, canUndo, canRedo } = useDraft();
  return (
    <div className={classes.tools}>
      <Tooltip label="Undo">
        <ActionIcon
          size={36}
          aria-label="Undo the last change of the draft"
          disabled={!canUndo}
          onClick={() => store.undo()}
        >
          <IconArrowBackUp size={18} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Redo">
        <ActionIcon
          size={36}
          aria-label="Redo the change of the draft"
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
        Versions
      </Button>
    </div>
  );
}
