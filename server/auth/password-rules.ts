import type { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { Refusal } from "../../shared/protocol/errors.ts";

/**
 * What a password must withstand. Its length is asked by the schema; here is judged how many guesses
 * it costs somebody who tries the common ones first, with the usual disguises, rows of keys,
 * repeats, dates, and what is known of the person and of us. No rule about which signs it must have:
 * such rules make passwords that people write down and machines guess.
 */

/** 10⁸ guesses: what zxcvbn calls "safely unguessable". Slow hashing and the throttle do the rest. */
const SCORE_MIN = 3;
const CHECKED_MAX_CHARACTERS = 128;
/** So much must be left of a password when the person's own words are taken out of it. */
const OWN_SIGNS_MIN = 6;
const PRODUCT_TERMS = ["watchfloor"];

/** Refuses a password that is guessed easily; `known` is what everybody knows of the person. */
export async function validatePassword(
  password: string,
  userTerms: readonly string[],
): Promise<void> {
  guesser ??= load();
  const guesses = await guesser;
  const terms = userTerms.flatMap((term) => [term, ...term.split(/[^\p{L}\p{N}]+/u)]);
  const guessableTerms = [...PRODUCT_TERMS, ...terms].filter((term) => term.length > 2);
  const tried = password.normalize("NFC").slice(0, CHECKED_MAX_CHARACTERS);
  const isOwn = withoutTerms(tried, guessableTerms).length < OWN_SIGNS_MIN;
  if (!isOwn && guesses.check(tried, guessableTerms).score >= SCORE_MIN) return;
  const message =
    "That password is easily guessed: it is common, follows a pattern, or is made of your name. " +
    "A few words that don't belong together are better.";
  throw new Refusal("validation_failed", { fields: { password: { rule: "guessable", message } } });
}

function withoutTerms(password: string, terms: readonly string[]): string {
  let left = password.toLowerCase();
  for (const term of [...terms].sort((a, b) => b.length - a.length)) {
    left = left.replaceAll(term.toLowerCase(), "");
  }
  return left.replace(/[^\p{L}\p{N}]/gu, "");
}

let guesser: Promise<ZxcvbnFactory> | undefined;

/** Loaded when the first password is chosen: a start does without its word lists. */
async function load(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, common] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
  ]);
  const { dictionary, adjacencyGraphs: graphs } = common;
  return new ZxcvbnFactory({ dictionary, graphs, useLevenshteinDistance: false });
}
