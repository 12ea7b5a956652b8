import { type ReactNode, use } from "react";
import classes from "./notice.module.css";
import { WithinPage } from "./page.tsx";

interface Props {
  icon: ReactNode;
  title: string;
  /** What happened, and what to do next. */
  text: ReactNode;
  /** Buttons for the next step. */
  children?: ReactNode;
}

/** A full-screen message for empty states, missing pages, missing rights and failures. */
export function Notice({ icon, title, text, children }: Props) {
  const Heading = use(WithinPage) ? "h2" : "h1";
  return (
    <section className={classes.notice}>
      <div className={classes.icon} aria-hidden="true">
        {icon}
      </div>
      <Heading className={classes.title}>{title}</Heading>
      <p className={classes.text}>{text}</p>
      <div>{children}</div>
    </section>
  );
}
