import { passwordSchema } from "../../../shared/protocol/password.ts";

/**
 * How long a password is says most about how hard it is to guess; rules about signs say little. Whether it is common
 * or made of a name, the server judges: nothing here calls a password good.
 */
export interface PasswordStrength {
  /** 0 to 4, for the bar. */
  steps: number;
  word: string;
}

export const PASSWORD_MIN_LENGTH = passwordSchema.minLength ?? 12;

/** What to say about a password as it is typed. */
export function passwordStrength(password: string): PasswordStrength {
  const length = [...password].length;
  const missing = PASSWORD_MIN_LENGTH - length;
  if (length === 0) {
    return { steps: 0, word: `At least ${PASSWORD_MIN_LENGTH} characters. A sentence works well.` };
  }
  if (missing > 0) {
    return { steps: 1, word: `${missing} more ${missing === 1 ? "character" : "characters"}` };
  }
  if (new Set(password).size < 5) return { steps: 1, word: "Too few different characters" };
  if (length < 15) return { steps: 2, word: "Long enough. Longer is stronger." };
  if (length < 18) return { steps: 3, word: "A good length" };
  return { steps: 4, word: "A strong length" };
}
