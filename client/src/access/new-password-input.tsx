import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import { useId, useState } from "react";
import { uiMessages as messages } from "../messages/en/ui.ts";
import { Hint } from "../ui/texts.ts";
import classes from "./new-password-input.module.css";
import { PASSWORD_MIN_LENGTH, passwordStrength } from "./password-strength.ts";

/** An input for a new password that rates its length. */
export function NewPasswordInput(props: Pick<PasswordInputProps, "label" | "size" | "autoFocus">) {
  const hintId = useId();
  const [value, setValue] = useState("");
  const { steps, hint } = passwordStrength(value);
  return (
    <div>
      <PasswordInput
        name="password"
        label={messages.password()}
        autoComplete="new-password"
        size="md"
        required
        minLength={PASSWORD_MIN_LENGTH}
        value={value}
        onChange={(event) => setValue(event.currentTarget.value)}
        aria-describedby={hintId}
        {...props}
      />
      <div className={classes.bar} data-steps={steps} aria-hidden="true">
        {[1, 2, 3, 4].map((step) => (
          <span key={step} data-on={step <= steps || undefined} />
        ))}
      </div>
      <Hint mt={4} fz="xs" id={hintId}>
        {hint}
      </Hint>
    </div>
  );
}
