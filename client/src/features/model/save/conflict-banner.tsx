import { Box, Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconArrowsSplit2 } from "@tabler/icons-react";
import { useEffect } from "react";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { richText } from "../../../messages/rich-text.tsx";
import { announce } from "../../../ui/announce.ts";
import { Callout } from "../../../ui/callout.tsx";
import { AuthorName, authorName } from "../draft/author-name.tsx";
import { useDraft } from "../draft/use-draft.tsx";
import { ModelConflictDialog } from "./conflict-dialog.tsx";

/** Shown if another user published a version while this draft has changes. */
export function ConflictBanner() {
  const { newer } = useDraft();
  const [opened, { open, close }] = useDisclosure(false);
  const version = newer?.version;
  const by = newer?.by;
  useEffect(() => {
    if (version === undefined || by === undefined) return;
    announce(messages.newerVersion({ user: authorName(by), version }));
  }, [version, by]);
  if (!newer) return null;
  return (
    <Callout component="section" mb={16} aria-label={messages.newerLabel()}>
      <IconArrowsSplit2 size={18} color="var(--wf-warn)" aria-hidden="true" />
      <Box component="span" flex="1">
        {richText(messages.newerText({ version: newer.version }), {
          user: () => (
            <strong>
              <AuthorName by={newer.by} />
            </strong>
          ),
        })}
      </Box>
      <Button size="compact-md" onClick={open}>
        {messages.compare()}
      </Button>
      {opened && <ModelConflictDialog newer={newer} onClose={close} />}
    </Callout>
  );
}
