import { Button, Group, Modal } from "@mantine/core";
import { IconFileDiff, IconPencil } from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "wouter";
import type { ChangeSetInfo } from "../../../../shared/protocol/change-sets.ts";
import { changeSetMessages as messages } from "../../messages/en/change-sets.ts";
import { ChangeSetActions } from "../../records/change-sets/change-set-actions.tsx";
import { changeSetAddress } from "../../records/change-sets/change-set-address.ts";
import { ChangeSetPreview } from "../../records/change-sets/change-set-preview.tsx";
import { originLabel, stateLabel } from "../../records/change-sets/labels.ts";
import { type OpenChangeSet, useChangeSet } from "../../records/change-sets/use-change-set.ts";
import { useSetTitle } from "../../records/change-sets/use-set-title.ts";
import { useNameScreen } from "../../state/use-screen-title.ts";
import { authorName } from "../../ui/author-name.ts";
import { NameInput } from "../../ui/name-input.tsx";
import { Notice } from "../../ui/notice.tsx";
import { formatMoment } from "../../ui/numbers.ts";
import { Page } from "../../ui/page.tsx";
import { ScreenSkeleton } from "../../ui/screen-skeleton.tsx";
import { SubmitForm } from "../../ui/submit-form.tsx";
import { useGoOn } from "../../ui/use-go-on.ts";
import { useTitle } from "../../ui/use-title.ts";

/** One change set: what it is, what it does, and what can be done with it. */
export function ChangeSetScreen({ id }: { id: string }) {
  const set = useChangeSet(id);
  const goOn = useGoOn();
  const { info } = set;
  const title = useSetTitle(info);
  useTitle(title);
  useNameScreen(changeSetAddress(id), info && title);
  if (set.isMissing) return <NotFound />;
  // Another attempt follows by itself.
  if (!info && set.problem) return <Page title={messages.title()} problem={set.problem} />;
  if (!info) return <ScreenSkeleton />;
  return (
    <Page
      title={title}
      lead={<Lead info={info} />}
      actions={
        <Group gap={8}>
          {set.isOwn && set.isDraft && <RenameButton set={set} title={title} />}
          <ChangeSetActions
            set={set}
            onReverted={(draft) => goOn(changeSetAddress(draft.id))}
            onDeleted={() => goOn("/changes")}
          />
        </Group>
      }
    >
      <ChangeSetPreview set={set} />
    </Page>
  );
}

function Lead({ info }: { info: ChangeSetInfo }) {
  const { state, origin, by, applied, updated, reverts } = info;
  return (
    <>
      {messages.byline({
        state: stateLabel(state),
        origin: originLabel(origin),
        author: authorName(by),
        time: formatMoment(applied ?? updated),
      })}
      {reverts && (
        <>
          {" · "}
          <Link href={changeSetAddress(reverts)}>{messages.revertsSet()}</Link>
        </>
      )}
    </>
  );
}

function NotFound() {
  return (
    <Notice icon={IconFileDiff} title={messages.notFound()} text={messages.notFoundText()}>
      <Button component={Link} href="/changes">
        {messages.backToList()}
      </Button>
    </Notice>
  );
}

function RenameButton({ set, title }: { set: OpenChangeSet; title: string }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const rename = ({ name = "" }: Record<string, string>) => set.rename(name);
  return (
    <>
      <Button
        variant="subtle"
        leftSection={<IconPencil size={16} aria-hidden="true" />}
        disabled={set.isBusy}
        onClick={() => setOpen(true)}
      >
        {messages.rename()}
      </Button>
      <Modal opened={isOpen} onClose={close} title={messages.renameTitle()} size={420}>
        <SubmitForm send={rename} onDone={close} action={messages.save()}>
          <NameInput label={messages.name()} defaultValue={title} maxLength={200} />
        </SubmitForm>
      </Modal>
    </>
  );
}
