import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconArrowsSplit2 } from "@tabler/icons-react";
import { useEffect } from "react";
import { announce } from "../../../ui/announce.ts";
import { AuthorName, authorName } from "../draft/author-name.tsx";
import { useDraft } from "../draft/use-draft.tsx";
import { ModelConflictDialog } from "./conflict-dialog.tsx";
import classes from "./save.module.css";

/** Says that somebody else has put a version in force while this draft has changes of its own. */
export function ConflictBanner() {
  const { ahead } = useDraft();
  const [opened, { open, close }] = useDisclosure(false);
  const version = ahead?.version;
  const by = ahead?.by;
  useEffect(() => {
    if (version === undefined || by === undefined) return;
    announce(`${authorName(by)} has put version ${version} in force while you were editing.`);
  }, [version, by]);
  if (!ahead) return null;
  return (
    <section className={classes.banner} aria-label="Another version is in force">
      <IconArrowsSplit2 size={18} aria-hidden="true" />
      <span>
        <strong>
          <AuthorName by={ahead.by} />
        </strong>{" "}
        has put version {ahead.version} in force while you were editing. Nothing of yours is lost.
      </span>
      <Button size="compact-md" onClick={open}>
        See both and decide
      </Button>
      {opened && <ModelConflictDialog ahead={ahead} onClose={close} />}
    </section>
  );
}
