import { Button } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import type { ComponentPropsWithRef } from "react";
import { CountMark } from "../../ui/count-mark.ts";
import classes from "./toolbar.module.css";

interface Props extends Omit<ComponentPropsWithRef<"button">, "color" | "style" | "size"> {
  icon: Icon;
  label: string;
  /** Shows that the tool is in use. */
  isActive?: boolean;
  /** How much of it is in use, shown beside the label. */
  count?: number;
  /** Shows the icon alone at any width; the label is still its accessible name. */
  onlyIcon?: boolean;
}

/** A tool above rows: an icon and a label, which gives way where there is little space. */
export function ToolButton(props: Props) {
  const {
    icon: Shape,
    label,
    count = 0,
    isActive = false,
    onlyIcon,
    children,
    className,
    ...rest
  } = props;
  return (
    <Button
      variant={isActive ? "light" : "subtle"}
      color={isActive ? undefined : "gray"}
      size="compact-sm"
      fw={500}
      className={`${classes.iconic} ${className ?? ""}`}
      leftSection={<Shape size={16} aria-hidden="true" />}
      {...rest}
    >
      <span className={onlyIcon ? "wf-visually-hidden" : classes.wide}>{label}</span>
      {count > 0 && <CountMark ms={6}>{count}</CountMark>}
      {children}
    </Button>
  );
}
