import type { ReactNode } from "react";
import classes from "./notice.module.css";

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
  return (
    <section className={classes.notice}>
      <div className={classes.icon} aria-hidden="true">
        {icon}
      </div>
      <h1 className={classes.title}>{title}</h1>
      <p className={classes.text}>{text}</p>
      <div>{children}</div>
    </section>
  );
}
