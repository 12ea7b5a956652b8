import { listWallboards } from "../../sync/wallboards/wallboards.ts";
import { useRemote } from "../../ui/use-remote.ts";
import { DisplayDialog } from "./display-dialog.tsx";

const task = { kind: "pair", code: "" } as const;

/** Pairs a display from any screen. */
export function DisplaySheet({ onClose }: { onClose(): void }) {
  const { data: wallboards } = useRemote(listWallboards, { on: ["wallboard"] });
  return (
    wallboards && (
      <DisplayDialog task={task} wallboards={wallboards} onClose={onClose} onDone={() => {}} />
    )
  );
}
