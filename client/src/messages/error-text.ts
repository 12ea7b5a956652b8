import {
  type Explanation,
  type ExplanationValue,
  englishText,
  wordingOf,
} from "../../../shared/error-texts/explain.ts";
import { type ErrorCode, errorCatalogue } from "../../../shared/protocol/errors.ts";
import { errorMessages } from "./en/errors.ts";
import { explanationMessages } from "./en/explanations.ts";

/** As in a `Refusal` and in a stored refusal of an edit. */
interface ErrorLike {
  code: string;
  message: string;
  detail: Record<string, unknown>;
}

/** Each code has a text: a code without one does not compile. */
const textOfCode: Readonly<Record<ErrorCode, () => string>> = errorMessages;

/** The text to show for an error: that of its explanation, or of its code. */
export function errorText({ code, message, detail }: ErrorLike): string {
  if (!isErrorCode(code)) return message;
  const explained = textOfKey(wordingOf(detail));
  if (explained !== null) return explained;
  // What does not fit its schema is explained to programs only.
  if (code === "invalid_request" && !("messageKey" in detail)) return textOfCode[code]();
  if (message !== errorCatalogue[code].message) return message;
  if (code === "unavailable" && detail.offline === true) return errorMessages.unreachable();
  if (code === "too_large" && detail.unit === "ops") {
    return errorMessages.tooManyOps({ limit: Number(detail.limit) });
  }
  return textOfCode[code]();
}

/** The text to show for a sentence of the list. */
export function explanationText(explanation: Explanation): string {
  return sentText(englishText(explanation), explanation);
}

/** The same for a sentence that was sent, with its key and values beside; as it was sent if a newer server has sent it. */
export function sentText(sentence: string, wording: object): string {
  return textOfKey(wordingOf(wording)) ?? sentence;
}

function textOfKey({
  messageKey,
  messageValues = {},
}: Omit<Explanation, "message">): string | null {
  const format = explanationMessages.get(messageKey ?? "");
  const values = Object.entries(messageValues).map(([name, value]) => [name, shown(value)]);
  return format?.(Object.fromEntries(values)) ?? null;
}

function shown(value: ExplanationValue): string | number {
  if (typeof value !== "object" || value === null) return value ?? "";
  return "message" in value ? explanationText(value) : value.map(shown).join(", ");
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCatalogue, code);
}
