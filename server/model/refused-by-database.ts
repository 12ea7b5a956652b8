import { Refusal, unavailable } from "../../shared/protocol/errors.ts";

const sentences: Readonly<Record<string, string>> = {
  "42P07": "The database has something else of that name.",
  "23502": "Some records have nothing in a field that would be required.",
  "23514": "Some records have nothing in a field that would be required.",
  "42701": "The database has something else of that name.",
  "23505": "Some records have the same in a field that would be unique.",
  "23503": "Some records link to what would not be there.",
  "2BP01": "Something else in the database depends on what would be removed.",
  "0A000": "Something else in the database depends on what would be changed.",
  "54011": "The database can't keep a table of so many fields.",
  "55P03": "The tables are too busy just now. Nothing was changed; try again.",
};

/** A Postgres error of a model change, as a refusal; anything unforeseen unchanged. */
export function refusedByDatabase(error: unknown): unknown {
  const { code = "" } = error as { code?: string };
  const isBusy = code === "55P03";
  const sentence = sentences[code];
  if (sentence === undefined) return error;
  const detail = { rule: "database" };
  const refusal = isBusy
    ? unavailable(detail, sentence)
    : new Refusal("validation_failed", detail, sentence);
  refusal.cause = error;
  return refusal;
}
