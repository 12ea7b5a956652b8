import { ActionIcon } from "@mantine/core";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import classes from "./parts.module.css";

interface Props {
  /** What is moved, for who does not see it. */
  of: string;
  index: number;
  count: number;
  onMove(by: -1 | 1): void;
}

/** Moves one thing of a list up or down, by mouse and by keyboard alike. */
export function OrderButtons({ of, index, count, onMove }: Props) {
  return (
    <>
      <ActionIcon
        size="sm"
        className={classes.order ?? ""}
        aria-label={`Move ${of} up`}
        disabled={index === 0}
        onClick={() => onMove(-1)}
      >
        <IconChevronUp size={16} />
      </ActionIcon>
      <ActionIcon
        size="sm"
        className={classes.order ?? ""}
        aria-label={`Move ${of} down`}
        disabled={index === count - 1}
        onClick={() => onMove(1)}
      >
        <IconChevronDown size={16} />
      </ActionIcon>
    </>
  );
}
