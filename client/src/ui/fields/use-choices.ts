import { useEffect, useState } from "react";
import type { Field } from "../../../../shared/model/model.ts";
import { type Choice, isRemote, localChoices, remoteChoices } from "./choices.ts";
import type { LookUp } from "./look-up.ts";

/** Saves requests between two fast keystrokes. */
const SEARCH_DELAY_MS = 120;

/** The choices for the text typed so far; `searching` until the server has answered for that text. */
export function useChoices(
  field: Field,
  text: string,
  lookUp: LookUp,
): { choices: Choice[]; searching: boolean; failed: boolean } {
  const remote = isRemote(field);
  const [answer, setAnswer] = useState<{ text: string; choices: Choice[]; failed: boolean }>();
  useEffect(() => {
    if (!remote) return;
    let current = true;
    const setResult = (choices: Choice[], failed: boolean) => {
      if (current) setAnswer({ text, choices, failed });
    };
    const timer = setTimeout(
      () => {
        remoteChoices(lookUp, field, text).then(
          (choices) => setResult(choices, false),
          () => setResult([], true),
        );
      },
      text ? SEARCH_DELAY_MS : 0,
    );
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [field, text, lookUp, remote]);
  if (!remote) return { choices: localChoices(field, text), searching: false, failed: false };
  return {
    choices: answer?.choices ?? [],
    searching: answer?.text !== text,
    failed: answer?.failed ?? false,
  };
}
