import type { Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";
import cells from "../../ui/cells.module.css";
import classes from "./rows.module.css";

interface Props {
  Icon: Icon;
  name: string;
  about: ReactNode;
  more?: ReactNode;
  token?: string;
  /** What can be done with it. */
  children: ReactNode;
}

/** One item of a list of the user's own: what it is, what is known of it, and what can be done with it. */
export function Row({ Icon: Shape, name, about, more, token, children }: Props) {
  return (
    <li className={classes.row} data-token={token}>
      <Shape size={20} stroke={1.5} aria-hidden="true" />
      <div className={cells.lines}>
        <span className={cells.title}>{name}</span>
        <span className={cells.detail}>{about}</span>
        {more && <span className={cells.detail}>{more}</span>}
      </div>
      {children}
    </li>
  );
}
