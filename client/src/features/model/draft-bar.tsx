import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { toast } from "../../ui/toast.tsx";
import { useDraft } from "./draft/use-draft.tsx";
import classes from "./model.module.css";
import { ProblemsMenu } from "./problems-menu.tsx";
import { SaveDialog } from "./save/save-dialog.tsx";

/** While the draft says something else than the model in force: what is wrong with it, and how it becomes real. */
export function DraftBar() {
  const { base, store, edit, changed, problems, ahead } = useDraft();
  const [saving, { open, close }] = useDisclosure(false);
  if (!changed && !saving) return null;
  const discard = () => {
    edit(() => base);
    toast("Your changes are taken out of the draft.", () => store.undo());
  };
  return (
    <section className={classes.bar} aria-label="Your draft">
      <span className={classes.status}>Your changes are not in force yet</span>
      <Button variant="subtle" color="gray" onClick={discard}>
        Discard
      </Button>
      <ProblemsMenu />
      <Button disabled={problems.length > 0 || ahead !== null} onClick={open}>
        Review and save
      </Button>
      {saving && <SaveDialog onClose={close} />}
    </section>
  );
}
