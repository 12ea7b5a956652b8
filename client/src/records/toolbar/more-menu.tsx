import { ActionIcon, Menu } from "@mantine/core";
import { IconArrowBackUp, IconArrowForwardUp, IconDots } from "@tabler/icons-react";
import { type ReactNode, useRef, useState } from "react";
import { viewMessages as messages } from "../../messages/en/views.ts";
import { useAtom } from "../../state/use-atom.ts";
import { runUndoStep } from "../undo.ts";
import classes from "./toolbar.module.css";
import type { UndoProps } from "./undo-buttons.tsx";

interface Props extends UndoProps {
  /** What the bar has no place for on a phone. */
  narrow?: ReactNode;
  children?: ReactNode;
}

/** The rarer tools above rows, each with its name; undo and redo and `narrow`, where the bar has no place for them. */
export function MoreMenu({ undo, table, narrow, children }: Props) {
  const target = useRef<HTMLButtonElement>(null);
  const { canUndo, canRedo } = useAtom(undo.tableAtom(table));
  const [isNarrow, setNarrow] = useState(false);
  const onOpen = () => {
    const buttons = target.current?.closest("[role=toolbar]")?.querySelector(`.${classes.undo}`);
    setNarrow(buttons?.checkVisibility() === false);
  };
  // At once, so that what an item opens takes it from there.
  const onClose = () => target.current?.focus();
  return (
    <Menu position="bottom-end" width={240} onOpen={onOpen} onClose={onClose}>
      <Menu.Target>
        <ActionIcon
          ref={target}
          className={classes.more ?? ""}
          size={28}
          aria-label={messages.moreTools()}
        >
          <IconDots size={18} stroke={1.7} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {isNarrow && (
          <>
            {narrow}
            <Menu.Item
              leftSection={<IconArrowBackUp size={16} />}
              disabled={!canUndo}
              onClick={() => void runUndoStep(undo, "undo", { table })}
            >
              {messages.undo()}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconArrowForwardUp size={16} />}
              disabled={!canRedo}
              onClick={() => void runUndoStep(undo, "redo", { table })}
            >
              {messages.redo()}
            </Menu.Item>
          </>
        )}
        {children}
      </Menu.Dropdown>
    </Menu>
  );
}
