import { Refusal } from "../../../../shared/protocol/errors.ts";
import { formatWait } from "../../ui/numbers.ts";

/** Why a sign-in was refused, for the person at the door. Never says whether the account exists. */
export function signInProblem(error: unknown): string {
  const refusal = error instanceof Refusal ? error : new Refusal("internal");
  switch (refusal.code) {
    case "unauthenticated":
    case "invalid_request":
      return "That email and password don't go together. Check both and try again.";
    case "second_factor_wrong":
      return "That code is not right, or was used already. Codes of an app change every 30 seconds.";
    case "rate_limited":
      return `Too many attempts. Try again in ${formatWait(secondsToWait(refusal))}.`;
    case "unavailable":
      return "The server can't be reached. Check your connection and try again.";
    case "forbidden":
      return "This account is disabled. Ask an owner or an admin.";
    default:
      return refusal.message;
  }
}

function secondsToWait(refusal: Refusal): number {
  const seconds = Number(refusal.detail.retryAfter);
  return Number.isFinite(seconds) ? seconds : 60;
}
