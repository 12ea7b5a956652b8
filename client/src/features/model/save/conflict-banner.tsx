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
  const { newer } = useDraft();
  const [opened, { open, close }] = useDisclosure(false);
  const version = newer?.version;
  const by = newer?.by;
  useEffect(() => {
    if (version === undefined || by === undefined) return;
    announce(`${authorName(by)} has put version ${version} in force while you were editing.`);
  }, [version, by]);
  if (!newer) return null;
  return (
    <section className={classes.banner} aria-label="Another version is in force">
      <IconArrowsSplit2 size={18} aria-hidden="true" />
      <span>
        <strong>
          <AuthorName by={newer.by} />
        </strong>{" "}
        has put version {newer.version} in force while you were editing. Nothing of yours is lost.
      </span>
      <Button size="compact-md" onClick={open}>
        See both and decide
      </Button>
      {opened && <ModelConflictDialog newer={newer} onClose={close} />}
    </section>
  );
}
