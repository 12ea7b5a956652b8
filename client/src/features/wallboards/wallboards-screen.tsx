import { Modal } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconDeviceTv } from "@tabler/icons-react";
import type { WallboardInfo } from "../../../../shared/protocol/wallboards.ts";
import { wallboardsMessages as messages } from "../../messages/en/wallboards.ts";
import { useAbilities } from "../../state/use-account.ts";
import { createWallboard, listWallboards } from "../../sync/wallboards/wallboards.ts";
import { rest } from "../../transport/rest/rest.ts";
import { AddButton } from "../../ui/add-button.tsx";
import { NameInput } from "../../ui/name-input.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { SubmitForm } from "../../ui/submit-form.tsx";
import { toast, toastProblem } from "../../ui/toast.tsx";
import { Unloaded } from "../../ui/unloaded.tsx";
import { useGoOn } from "../../ui/use-go-on.ts";
import { useRemote } from "../../ui/use-remote.ts";
import { useTitle } from "../../ui/use-title.ts";
import { nameOfCopy } from "./list/name-of-copy.ts";
import { WallboardCard } from "./list/wallboard-card.tsx";
import classes from "./list/wallboards.module.css";

/** So many show their values; of the others the list shows a sketch. */
const LIVE_MAX = 8;

/** The wallboards, published ones and drafts. */
export function WallboardsScreen() {
  useTitle(messages.title());
  const goOn = useGoOn();
  const mayChange = useAbilities().rights.includes("wallboards");
  const { data, problem, reload } = useRemote(listWallboards, { on: ["wallboard"] });
  const [adding, { open, close }] = useDisclosure(false);

  const runAndReload = (task: () => Promise<unknown>) => {
    task().catch(toastProblem).finally(reload);
  };
  const duplicate = async (wallboard: WallboardInfo) => {
    const copy = await createWallboard({
      ...wallboard,
      name: nameOfCopy(wallboard.name, data ?? []),
    });
    toast(messages.duplicated({ name: copy.name }), () =>
      runAndReload(() => rest("DELETE /wallboards/{id}", { params: { id: copy.id } })),
    );
  };
  const remove = async (wallboard: WallboardInfo) => {
    await rest("DELETE /wallboards/{id}", { params: { id: wallboard.id } });
    toast(messages.deleted({ name: wallboard.name }), () =>
      runAndReload(() => rest("POST /wallboards/{id}/restore", { params: { id: wallboard.id } })),
    );
  };

  if (!data) return <Unloaded problem={problem} reload={reload} />;
  const add = mayChange && <AddButton onClick={open}>{messages.newWallboard()}</AddButton>;
  return (
    <>
      <Page
        title={messages.title()}
        lead={messages.lead()}
        actions={data.length > 0 && add}
        problem={problem}
      >
        {data.length === 0 ? (
          <Notice
            icon={IconDeviceTv}
            title={messages.none()}
            text={mayChange ? messages.noneText() : messages.noneViewer()}
          >
            {add}
          </Notice>
        ) : (
          <ul className={classes.cards}>
            {data.map((wallboard, index) => (
              <WallboardCard
                key={wallboard.id}
                wallboard={wallboard}
                isLive={index < LIVE_MAX}
                mayChange={mayChange}
                onDuplicate={() => runAndReload(() => duplicate(wallboard))}
                onDelete={() => runAndReload(() => remove(wallboard))}
              />
            ))}
          </ul>
        )}
      </Page>
      <NewWallboardDialog
        opened={adding}
        onClose={close}
        onCreated={({ id }) => goOn(`/wallboards/${encodeURIComponent(id)}`)}
      />
    </>
  );
}

interface Props {
  opened: boolean;
  onClose(): void;
  onCreated(wallboard: WallboardInfo): void;
}

/** Asks for the name of a new wallboard; everything else is set in the designer. */
function NewWallboardDialog({ opened, onClose, onCreated }: Props) {
  const send = async ({ name = "" }: Record<string, string>) => {
    onCreated(await createWallboard({ name }));
  };
  return (
    <Modal opened={opened} onClose={onClose} title={messages.newWallboard()} size={420}>
      <SubmitForm send={send} action={messages.create()}>
        <NameInput label={messages.name()} description={messages.nameText()} />
      </SubmitForm>
    </Modal>
  );
}
