import { initialsOf } from "./fields/initials.ts";
import classes from "./user-avatar.module.css";
import { userColour } from "./user-colour.ts";

interface Props {
  name: string;
  /** The person's colour as the server keeps it: a name of the palette. */
  colour: string;
  size?: number;
  /** Where the name already stands beside it. */
  decorative?: boolean;
}

/** A person as a tinted disc with initials. The name is the accessible text. */
export function UserAvatar({ name, colour, size = 24, decorative = false }: Props) {
  const style = {
    "--wf-person": userColour(colour),
    width: size,
    height: size,
    fontSize: Math.round(size * 0.4),
  };
  const label = decorative ? { "aria-hidden": true } : { role: "img", "aria-label": name };
  return (
    <span className={classes.avatar} style={style} {...label}>
      {initialsOf(name)}
    </span>
  );
}
