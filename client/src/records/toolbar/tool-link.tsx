import { Button } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import { Link } from "wouter";
import classes from "./toolbar.module.css";

interface Props {
  icon: Icon;
  label: string;
  href: string;
}

/** A link from a toolbar to another screen, only an icon where there is little space. */
export function ToolLink({ icon: Shape, label, href }: Props) {
  return (
    <Button
      component={Link}
      href={href}
      className={classes.iconic ?? ""}
      variant="default"
      size="xs"
      leftSection={<Shape size={16} aria-hidden="true" />}
    >
      <span className={classes.wide}>{label}</span>
    </Button>
  );
}
