import { explain } from "../../shared/error-texts/explain.ts";
import { memoize } from "../../shared/memoize.ts";
import { invalidValue } from "../../shared/protocol/errors.ts";

/**
 * The required strength of a password. The schema checks its length; this estimates how many guesses it costs
 * an attacker who tries common ones first, with the usual substitutions, keyboard rows, repeats, dates, and
 * known data of the user and the product. No composition rules: such rules make passwords that users write
 * down and machines guess.
 */

/** 10⁸ guesses: what zxcvbn calls "safely unguessable". Slow hashing and the throttle do the rest. */
const SCORE_MIN = 3;
const CHECKED_MAX_CHARACTERS = 128;
/** So much must be left of a password without the user's own words. */
const OWN_SIGNS_MIN = 6;
const PRODUCT_TERMS = ["watchfloor"];

/** Refuses a password that is easily guessed; `known` is public data of the user. */
export async function validatePassword(
  password: string,
  userTerms: readonly string[],
): Promise<void> {
  const guesser = await loadGuesser();
  const terms = userTerms.flatMap((term) => [term, ...term.split(/[^\p{L}\p{N}]+/u)]);
  const guessableTerms = [...PRODUCT_TERMS, ...terms].filter((term) => term.length > 2);
  const tried = password.normalize("NFC").slice(0, CHECKED_MAX_CHARACTERS);
  const isOwn = withoutTerms(tried, guessableTerms).length < OWN_SIGNS_MIN;
  if (!isOwn && guesser.check(tried, guessableTerms).score >= SCORE_MIN) return;
  throw invalidValue("password", "guessable", explain("user.guessable"));
}

function withoutTerms(password: string, terms: readonly string[]): string {
  let left = password.toLowerCase();
  for (const term of [...terms].sort((a, b) => b.length - a.length)) {
    left = left.replaceAll(term.toLowerCase(), "");
  }
  return left.replace(/[^\p{L}\p{N}]/gu, "");
}

/** Loaded with the first password that is chosen: the start does not need its word lists. */
const loadGuesser = memoize(async () => {
  const [{ ZxcvbnFactory }, common] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
  ]);
  const { dictionary, adjacencyGraphs: graphs } = common;
  return new ZxcvbnFactory({ dictionary, graphs, useLevenshteinDistance: false });
});
