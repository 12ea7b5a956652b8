import type { ErrorCode } from "../../../shared/protocol/errors.ts";

/** What a program does about each error; the catalogue has the sentence for users. */
export const errorHelp: Readonly<Record<ErrorCode, string>> = {
  invalid_request:
    "Correct the call. `at` and `message` say where; a hidden field is answered like an unknown one.",
  unauthenticated: "Send a session or an API token.",
  session_ended: "Sign in again. For an API token: create another one. Don't repeat the call.",
  second_factor_required: "Repeat the sign-in with `code`.",
  second_factor_wrong: "Ask for another code.",
  authentication_too_old:
    "The session goes on. Prove who you are by `POST /session/proof`, and repeat the call within five minutes.",
  forbidden: "`right` names what is missing. An administrator can grant it.",
  not_found: "Check the address. What the caller may not see is answered like this, too.",
  conflict:
    "Show `fields` (`base`, `mine`, `theirs`, `by`, `at`), decide, and send the edit again with `theirs` as the base.",
  base_required: "Send `base`, `If-Match` or `overwrite=true`.",
  model_conflict: "Read the model again, and apply the change to that version.",
  duplicate: "`fields` names the unique field. Use another value, or the record that has it.",
  aborted: "Look at the other results: one of them has the cause.",
  record_deleted:
    "`by` and `at` say who deleted it. If `restorable`, it can be restored. If `replaced`, another record has its id now: `by` and `at` say who created that.",
  resync_required: "Read the table again, and go on from the position of that page.",
  too_large: "Split the call: `limit` and `size` say how far.",
  validation_failed:
    "`fields` has the broken rule and a sentence for each field, with its `messageKey` and `messageValues`.",
  transition_required: "Run a transition instead of writing the state.",
  transition_not_allowed: "`why` says why; `possible` names the transitions that can be run.",
  transition_incomplete: "Send what `missing` names with the transition.",
  field_locked: "Run a transition to a state that does not lock `fields`, or leave them out.",
  link_broken: "Read the linked record's id again. It is missing, or the caller may not see it.",
  still_linked: "Change or delete the records that link to it first.",
  mutation_mismatch: "Use a new id for other content.",
  rate_limited: "Wait for `retryAfter` seconds (`Retry-After`), then repeat the call.",
  query_timeout: "Narrow the filter or the search, or index the field.",
  model_mismatch:
    "Another program has renamed, dropped or retyped a column: `table` and `fields` say which. Read without these `fields`; the operator finds all of them by `watchfloor doctor`.",
  update_required: "Reload the page, or update the client.",
  internal:
    "Repeat the call once. Give the reference id of the answer to the operator, who finds it in the log.",
  unavailable:
    "Wait for `retryAfter` seconds, then repeat the call with the same id: nothing was stored, or the repeat is harmless.",
};
