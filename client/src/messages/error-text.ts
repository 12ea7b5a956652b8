import { type ErrorCode, errorCatalogue } from "../../../shared/protocol/errors.ts";
import { errorMessages } from "./en/errors.ts";

/** As in a `Refusal` and in a stored refusal of an edit. */
interface ErrorLike {
  code: string;
  message: string;
  detail: Record<string, unknown>;
}

/** Each code has a text: a code without one does not compile. */
const textOfCode: Readonly<Record<ErrorCode, () => string>> = errorMessages;

/** The text to show for an error: the catalogue's, unless the server has sent a more specific one. */
export function errorText({ code, message, detail }: ErrorLike): string {
  if (!isErrorCode(code) || message !== errorCatalogue[code].message) return message;
  if (code === "unavailable" && detail.offline === true) return errorMessages.unreachable();
  if (code === "too_large" && detail.unit === "ops") {
    return errorMessages.tooManyOps({ limit: Number(detail.limit) });
  }
  return textOfCode[code]();
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCatalogue, code);
}
