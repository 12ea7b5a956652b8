import { IconDeviceTvOld } from "@tabler/icons-react";
import { useState } from "react";
import { useSearchParams } from "wouter";
import { displaysMessages as messages } from "../../messages/en/displays.ts";
import { richText } from "../../messages/rich-text.tsx";
import { rest } from "../../transport/rest/rest.ts";
import { AddButton } from "../../ui/add-button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { ResourceList } from "../../ui/resource-list.tsx";
import { Unloaded } from "../../ui/unloaded.tsx";
import { useRemote } from "../../ui/use-remote.ts";
import { useTitle } from "../../ui/use-title.ts";
import { MachineCell, NameCell, OnScreenCell, StatusCell } from "./display-cells.tsx";
import { DisplayDialog, type DisplayTask } from "./display-dialog.tsx";
import { DisplayMenu } from "./display-menu.tsx";

async function load() {
  const [displays, wallboards] = await Promise.all([
    rest("GET /displays"),
    rest("GET /wallboards"),
  ]);
  return { displays: displays.items, wallboards: wallboards.items };
}

/** The displays: pair one, see its status, choose what it shows. */
export function DisplaysScreen() {
  useTitle(messages.title());
  const { data, problem, reload } = useRemote(load, {
    on: ["display", "displays", "wallboard"],
  });
  const [params] = useSearchParams();
  const code = params.get("code") ?? "";
  const [dialog, setDialog] = useState<DisplayTask | null>(code ? { kind: "pair", code } : null);
  if (!data) return <Unloaded problem={problem} reload={reload} />;
  const { displays, wallboards } = data;
  const nameOf = (id: string) =>
    wallboards.find((wallboard) => wallboard.id === id)?.name ?? messages.deletedWallboard();
  const pair = (
    <AddButton onClick={() => setDialog({ kind: "pair", code: "" })}>
      {messages.pairScreen()}
    </AddButton>
  );
  return (
    <Page
      title={messages.title()}
      lead={messages.lead()}
      actions={displays.length > 0 && pair}
      problem={problem}
    >
      {displays.length > 0 ? (
        <ResourceList
          label={messages.title()}
          items={displays}
          keyOf={({ id }) => id}
          columns={[
            {
              name: messages.display(),
              cell: (display) => <NameCell display={display} nameOf={nameOf} />,
            },
            { name: messages.status(), cell: (display) => <StatusCell display={display} /> },
            {
              name: messages.onScreen(),
              wide: true,
              cell: (display) => <OnScreenCell display={display} nameOf={nameOf} />,
            },
            {
              name: messages.machine(),
              wide: true,
              cell: (display) => <MachineCell display={display} />,
            },
          ]}
          actions={(display) => (
            <DisplayMenu {...{ display, wallboards }} onOpenDialog={setDialog} onChanged={reload} />
          )}
        />
      ) : (
        <Notice
          icon={IconDeviceTvOld}
          title={messages.none()}
          text={richText(messages.noneText({ address: `${location.host}/display` }), {
            b: (address) => <b>{address}</b>,
          })}
        >
          {pair}
        </Notice>
      )}
      <DisplayDialog
        task={dialog}
        wallboards={wallboards}
        onClose={() => setDialog(null)}
        onDone={reload}
      />
    </Page>
  );
}
