import { ActionIcon } from "@mantine/core";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { uiMessages as messages } from "../../messages/en/ui.ts";
import classes from "./order.module.css";

interface Props {
  /** What is moved, for the accessible name. */
  of: string;
  index: number;
  count: number;
  onMove(by: -1 | 1): void;
}

/** Buttons that move an item of a list up or down. */
export function OrderButtons({ of, index, count, onMove }: Props) {
  return (
    <>
      <ActionIcon
        size="sm"
        className={classes.order ?? ""}
        aria-label={messages.moveUp({ name: of })}
        disabled={index === 0}
        onClick={() => onMove(-1)}
      >
        <IconChevronUp size={16} />
      </ActionIcon>
      <ActionIcon
        size="sm"
        className={classes.order ?? ""}
        aria-label={messages.moveDown({ name: of })}
        disabled={index === count - 1}
        onClick={() => onMove(1)}
      >
        <IconChevronDown size={16} />
      </ActionIcon>
    </>
  );
}
