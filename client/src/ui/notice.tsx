import { Text } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import { type ReactNode, use } from "react";
import classes from "./notice.module.css";
import { WithinPage } from "./page.tsx";

interface Props {
  icon: Icon;
  title: string;
  /** What happened, and what to do next. */
  text: ReactNode;
  /** Buttons for the next step. */
  children?: ReactNode;
}

/** A full-screen message for empty states, missing pages, missing rights and failures. */
export function Notice({ icon: Shape, title, text, children }: Props) {
  const Heading = use(WithinPage) ? "h2" : "h1";
  return (
    <section className={classes.notice}>
      <div className={classes.icon} aria-hidden="true">
        <Shape size={28} stroke={1.5} />
      </div>
      <Text component={Heading} mb={4} fz="lg" fw={600} lts="-0.01em">
        {title}
      </Text>
      <Text maw="52ch" mb={20} c="dimmed" textWrap="balance">
        {text}
      </Text>
      <div>{children}</div>
    </section>
  );
}
