import { Button } from "@mantine/core";
import { type RefCallback, useEffect } from "react";
import { viewMessages as messages } from "../../messages/en/views.ts";
import { useMe } from "../../state/use-account.ts";
import { announce } from "../../ui/announce.ts";
import type { CurrentView } from "./use-current-view.ts";

interface Props {
  current: CurrentView;
  buttonRef?: RefCallback<HTMLElement>;
}

/** Says that the view was changed while the user is at work in it, and by whom, and shows the change when clicked. */
export function ChangedViewButton({ current: { changed, showStored }, buttonRef }: Props) {
  const me = useMe();
  const by = changed?.updated.by;
  const name = by && by.id !== me.id ? by.name : null;
  const text = name === null ? messages.changed() : messages.changedBy({ name });
  const at = changed?.updated.at;
  // biome-ignore lint/correctness/useExhaustiveDependencies: announces each change once, by its time; two changes may have the same text.
  useEffect(() => {
    if (at !== undefined) announce(text);
  }, [at]);
  if (!changed) return null;
  return (
    <Button ref={buttonRef} size="compact-xs" flex="none" onClick={showStored}>
      {messages.showChanged({ text })}
    </Button>
  );
}
