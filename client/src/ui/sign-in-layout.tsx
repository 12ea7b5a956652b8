import type { ReactNode } from "react";
import { Mark } from "./mark.tsx";
import classes from "./sign-in-layout.module.css";

interface Props {
  title: string;
  lead?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}

/** The screens before the shell: sign-in, set-up, an invitation. One quiet column with the name. */
export function SignInLayout({ title, lead, wide = false, children }: Props) {
  return (
    <main className={classes.door}>
      <div className={classes.column} data-wide={wide || undefined}>
        <div className={classes.brand}>
          <Mark size={36} />
          <span>Watchfloor</span>
        </div>
        <h1 className={classes.title}>{title}</h1>
        {lead && <p className={classes.lead}>{lead}</p>}
        {children}
      </div>
    </main>
  );
}
