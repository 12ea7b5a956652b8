import { Button } from "@mantine/core";
import { IconDeviceTvOld, IconPlus } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useSearchParams } from "wouter";
import type { DisplayInfo } from "../../../../shared/protocol/displays.ts";
import { displayUpdateAtom } from "../../state/display-updates.ts";
import { useAtom } from "../../state/use-atom.ts";
import { listDisplays, listWallboardNames, type WallboardName } from "../../sync/calls/displays.ts";
import { FormProblem } from "../../ui/form-problem.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { ScreenSkeleton } from "../../ui/screen-skeleton.tsx";
import { useRemote } from "../../ui/use-remote.ts";
import { useTitle } from "../../ui/use-title.ts";
import { DisplayDialog, type DisplayTask } from "./display-dialog.tsx";
import { DisplayTable } from "./display-table.tsx";

/** Displays report every ten seconds; what they tell shows here within this time. */
const REFRESH_MS = 4_000;

async function load() {
  const [displays, boards] = await Promise.all([listDisplays(), listWallboardNames()]);
  return { displays, boards };
}

/** The screens on the wall: take one up, see how each is doing, tell it what to show. */
export function DisplaysScreen() {
  useTitle("Displays");
  const { data, problem, reload } = useRemote(load, REFRESH_MS);
  const update = useAtom(displayUpdateAtom);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the news is what is waited for.
  useEffect(reload, [update, reload]);
  const [params] = useSearchParams();
  const code = params.get("code") ?? "";
  const [dialog, setDialog] = useState<DisplayTask | null>(code ? { kind: "pair", code } : null);
  if (!data) return problem ? <FormProblem problem={problem} /> : <ScreenSkeleton />;
  const pair = () => setDialog({ kind: "pair", code: "" });
  return (
    <Page
      title="Displays"
      lead="Screens on the wall. Each shows its boards and nothing else, by a credential of its own."
      actions={
        <Button leftSection={<IconPlus size={16} />} onClick={pair}>
          Pair a screen
        </Button>
      }
    >
      <FormProblem problem={problem} />
      <List {...data} onOpenDialog={setDialog} onChanged={reload} />
      <DisplayDialog
        task={dialog}
        boards={data.boards}
        onClose={() => setDialog(null)}
        onDone={reload}
      />
    </Page>
  );
}

function List(props: {
  displays: readonly DisplayInfo[];
  boards: readonly WallboardName[];
  onOpenDialog: (dialog: DisplayTask) => void;
  onChanged: () => void;
}) {
  if (props.displays.length > 0) return <DisplayTable {...props} />;
  return (
    <Notice
      icon={<IconDeviceTvOld size={28} stroke={1.5} />}
      title="No screen is paired yet"
      text={
        <>
          Open <b>{location.host}/display</b> in the browser of the screen. It shows a code; type it
          here.
        </>
      }
    />
  );
}
