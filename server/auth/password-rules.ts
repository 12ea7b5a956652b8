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
const JUDGED_MAX_CHARACTERS = 128;
/** So much must be left of a password when the person's own words are taken out of it. */
const OWN_SIGNS_MIN = 6;
const OUR_WORDS = ["watchfloor"];

/** Refuses a password that is guessed easily; `known` is what everybody knows of the person. */
export async function judgePassword(password: string, known: readonly string[]): Promise<void> {
  guesser ??= load();
  const guesses = await guesser;
  const words = known.flatMap((word) => [word, ...word.split(/[^\p{L}\p{N}]+/u)]);
  const personal = [...OUR_WORDS, ...words].filter((word) => word.length > 2);
  const tried = password.normalize("NFC").slice(0, JUDGED_MAX_CHARACTERS);
  const isOwn = withoutWords(tried, personal).length < OWN_SIGNS_MIN;
  if (!isOwn && guesses.check(tried, personal).score >= SCORE_MIN) return;
  const message =
    "That password is easily guessed: it is common, follows a pattern, or is made of your name. " +
    "A few words that don't belong together are better.";
  throw new Refusal("validation_failed", { fields: { password: { rule: "guessable", message } } });
}

function withoutWords(password: string, words: readonly string[]): string {
  let left = password.toLowerCase();
  for (const word of [...words].sort((a, b) => b.length - a.length)) {
    left = left.replaceAll(word.toLowerCase(), "");
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
