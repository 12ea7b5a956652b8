import { Button } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import type { ComponentPropsWithRef } from "react";
import { uiMessages as messages } from "../../messages/en/ui.ts";
import classes from "./toolbar.module.css";

interface Props
  extends Omit<ComponentPropsWithRef<"button">, "color" | "style" | "size" | "value"> {
  icon: Icon;
  label: string;
  /** What is chosen, such as the field of the groups: the button says it, and shows that it is in use. */
  value?: string | number | null | undefined;
  /** Whether that is as usual, so that it needs no attention. */
  usual?: boolean;
}

/** A tool above rows: an icon and a label with its value, which give way where there is little space. */
export function ToolButton({
  icon: Shape,
  label,
  value,
  usual = false,
  children,
  className,
  ...rest
}: Props) {
  const hasValue = value !== undefined && value !== null && value !== 0;
  const isActive = hasValue && !usual;
  return (
    <Button
      variant={isActive ? "light" : "subtle"}
      color={isActive ? undefined : "gray"}
      size="compact-sm"
      fw={400}
      className={`${classes.iconic} ${className ?? ""}`}
      leftSection={<Shape size={16} aria-hidden="true" />}
      {...rest}
    >
      <span className={classes.wide}>
        {hasValue ? messages.toolValue({ tool: label, value }) : label}
      </span>
      {children}
    </Button>
  );
}
