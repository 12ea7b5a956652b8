import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useEffect } from "react";
import { modelMessages as messages } from "../../messages/en/model.ts";
import { toast } from "../../ui/toast.tsx";
import { useDraft } from "./draft/use-draft.tsx";
import classes from "./model.module.css";
import { ProblemsMenu } from "./problems-menu.tsx";
import { SaveDialog } from "./save/save-dialog.tsx";

/** Shown if the draft differs from the published model: its problems, discarding and publishing. */
export function DraftBar() {
  const { base, edit, changed, problems, newer, store } = useDraft();
  const [saving, { open, close }] = useDisclosure(false);
  const isShown = changed || saving;
  useEffect(() => {
    if (isShown) revealFocused();
  }, [isShown]);
  if (!isShown) return null;
  /** The published version is shown then, also if it is newer than the one that the draft is based on. */
  const discard = () => {
    toast(messages.discarded(), newer ? store.takeTheirs() : edit(() => base));
  };
  return (
    <section className={classes.bar} aria-label={messages.draft()}>
      <span className={classes.status}>{messages.unpublished()}</span>
      <Button variant="subtle" color="gray" onClick={discard}>
        {messages.discard()}
      </Button>
      <ProblemsMenu />
      <Button disabled={problems.length > 0 || newer !== null} onClick={open}>
        {messages.review()}
      </Button>
      {saving && <SaveDialog onClose={close} />}
    </section>
  );
}

/** The bar may appear while the user types: keeps the focused input visible. */
function revealFocused(): void {
  const focused = document.activeElement;
  if (focused instanceof HTMLElement && focused !== document.body) {
    focused.scrollIntoView({ block: "nearest" });
  }
}
