import { passwordSchema } from "../../../shared/protocol/account.ts";
import { uiMessages as messages } from "../messages/en/ui.ts";

/**
 * Rates a password by its length, which matters more than special characters. The server checks whether it is common or
 * contains a name, so a good length is not called a good password.
 */
interface PasswordStrength {
  /** 0 to 4, for the bar. */
  steps: number;
  hint: string;
}

export const PASSWORD_MIN_LENGTH = passwordSchema.minLength ?? 12;

/** Rates a password while it is typed. */
export function passwordStrength(password: string): PasswordStrength {
  const length = [...password].length;
  const missing = PASSWORD_MIN_LENGTH - length;
  if (length === 0) {
    return { steps: 0, hint: messages.passwordMinimum({ count: PASSWORD_MIN_LENGTH }) };
  }
  if (missing > 0) {
    return { steps: 1, hint: messages.passwordMissing({ count: missing }) };
  }
  if (new Set(password).size < 5) return { steps: 1, hint: messages.passwordUniform() };
  if (length < 15) return { steps: 2, hint: messages.passwordAcceptable() };
  if (length < 18) return { steps: 3, hint: messages.passwordGood() };
  return { steps: 4, hint: messages.passwordStrong() };
}
