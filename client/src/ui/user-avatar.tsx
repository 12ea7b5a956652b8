import { initialsOf } from "./initials.ts";
import classes from "./user-avatar.module.css";
import { userColour } from "./user-colour.ts";

interface Props {
  name: string;
  /** The user's colour: a name of the palette. */
  colour: string;
  size?: number;
  /** For places where the name is shown beside it. */
  decorative?: boolean;
}

/** A coloured disc with a user's initials. Their name is the accessible text. */
export function UserAvatar({ name, colour, size = 24, decorative = false }: Props) {
  const style = {
    "--wf-user-colour": userColour(colour),
    width: size,
    height: size,
    fontSize: size < 32 ? "var(--wf-font-11)" : "var(--wf-font-13)",
  };
  const label = decorative ? { "aria-hidden": true } : { role: "img", "aria-label": name };
  return (
    <span className={classes.avatar} style={style} {...label}>
      {initialsOf(name)}
    </span>
  );
}
