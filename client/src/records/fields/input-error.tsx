import classes from "./fields.module.css";

/** The error of an input. Announced immediately to screen readers. */
export function InputError({ message }: { message: string }) {
  return (
    <span className={classes.error} role="alert">
      {message}
    </span>
  );
}
