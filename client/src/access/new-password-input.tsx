import { PasswordInput } from "@mantine/core";
import { useState } from "react";
import { uiMessages as messages } from "../messages/en/ui.ts";
import { Hint } from "../ui/texts.ts";
import classes from "./new-password-input.module.css";
import { PASSWORD_MIN_LENGTH, passwordStrength } from "./password-strength.ts";

interface Props {
  name: string;
  label?: string;
  size?: "sm" | "md";
  /** For forms in which it is the first field. */
  autoFocus?: boolean;
}

/** An input for a new password that rates its length. */
export function NewPasswordInput({
  name,
  label = messages.password(),
  size = "md",
  autoFocus = false,
}: Props) {
  const [value, setValue] = useState("");
  const { steps, hint } = passwordStrength(value);
  return (
    <div>
      <PasswordInput
        name={name}
        label={label}
        autoComplete="new-password"
        size={size}
        required
        minLength={PASSWORD_MIN_LENGTH}
        value={value}
        onChange={(event) => setValue(event.currentTarget.value)}
        autoFocus={autoFocus}
        aria-describedby={`${name}-hint`}
      />
      <div className={classes.bar} data-steps={steps} aria-hidden="true">
        {[1, 2, 3, 4].map((step) => (
          <span key={step} data-on={step <= steps || undefined} />
        ))}
      </div>
      <Hint mt={4} fz="xs" id={`${name}-hint`}>
        {hint}
      </Hint>
    </div>
  );
}
