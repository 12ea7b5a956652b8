import classes from "./fields.module.css";

/** Why what stands in the input cannot be taken; said at once to those who do not see it. */
export function InputError({ message }: { message: string }) {
  return (
    <span className={classes.error} role="alert">
      {message}
    </span>
  );
}
