import { PasswordInput } from "@mantine/core";
import { useState } from "react";
import classes from "./new-password-input.module.css";
import { PASSWORD_MIN_LENGTH, passwordStrength } from "./password-strength.ts";

interface Props {
  name: string;
  label?: string;
  size?: "sm" | "md";
  /** Where nothing else is to be filled in first. */
  autoFocus?: boolean;
}

/** Chooses a password: a bar and a sentence about its length, nothing about special signs. */
export function NewPasswordInput({
  name,
  label = "Password",
  size = "md",
  autoFocus = false,
}: Props) {
  const [value, setValue] = useState("");
  const { steps, word } = passwordStrength(value);
  return (
    <div>
      <PasswordInput
        name={name}
        label={label}
        autoComplete="new-password"
        size={size}
        required
        withAsterisk={false}
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
      <p className={classes.hint} id={`${name}-hint`}>
        {word}
      </p>
    </div>
  );
}
