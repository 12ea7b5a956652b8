import { PasswordInput } from "@mantine/core";
import { useState } from "react";
import classes from "./new-password-input.module.css";
import { PASSWORD_MIN_LENGTH, passwordStrength } from "./password-strength.ts";

interface Props {
  name: string;
  label?: string;
  error?: string | undefined;
  size?: "sm" | "md";
}

/** Chooses a password: a bar and a sentence about its length, nothing about special signs. */
export function NewPasswordInput({ name, label = "Password", error, size = "md" }: Props) {
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
        error={error}
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
