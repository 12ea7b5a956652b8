import { Refusal } from "../../../../shared/protocol/errors.ts";
import { loginMessages as messages } from "../../messages/en/login.ts";
import { errorText } from "../../messages/error-text.ts";
import { canStoreCookies } from "../../transport/storage/browser-storage.ts";
import { formatWait } from "../../ui/numbers.ts";

/** Explains why a sign-in was refused. Never reveals whether the account exists. */
export function signInProblem(error: unknown): string {
  const refusal = error instanceof Refusal ? error : new Refusal("internal");
  switch (refusal.code) {
    case "unauthenticated":
      // The sign-in itself may have been accepted: without its cookie the next call has no session.
      return canStoreCookies()
        ? messages.wrongCredentials()
        : messages.cookiesBlocked({ host: location.host });
    case "invalid_request":
      return messages.wrongCredentials();
    case "second_factor_wrong":
      return messages.wrongCode();
    case "rate_limited":
      return messages.tooManyAttempts({ time: formatWait(secondsToWait(refusal)) });
    case "unavailable":
      return messages.unreachable();
    case "forbidden":
      // Of a role that signs in otherwise, which the server explains.
      return "right" in refusal.detail ? errorText(refusal) : messages.accountDisabled();
    default:
      return errorText(refusal);
  }
}

function secondsToWait(refusal: Refusal): number {
  const seconds = Number(refusal.detail.retryAfter);
  return Number.isFinite(seconds) ? seconds : 60;
}
