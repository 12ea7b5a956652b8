import { Stack } from "@mantine/core";
import { wallboardsMessages as messages } from "../../messages/en/wallboards.ts";
import { dayZone } from "../../state/day-zone.ts";
import { useAbilities } from "../../state/use-account.ts";
import { useFreshness } from "../../tiles/use-freshness.ts";
import { ScreenSkeleton } from "../../ui/screen-skeleton.tsx";
import { useTitle } from "../../ui/use-title.ts";
import { AlertStrip } from "./alerts/alert-strip.tsx";
import { Designer } from "./designer/designer.tsx";
import { FreshnessLine } from "./freshness-line.tsx";
import classes from "./live-wallboard.module.css";
import { FittedWallboard, FullScreenButton, usePublished } from "./live-wallboard.tsx";
import { WallboardNotFound } from "./wallboard-not-found.tsx";

/** One wallboard: the designer for users who may change it, the published wallboard for all others. */
export function WallboardScreen({ id }: { id: string }) {
  const mayChange = useAbilities().rights.includes("wallboards");
  return mayChange ? <Designer id={id} /> : <Viewer id={id} />;
}

/** The published wallboard with the user's own rights, scaled to the page. */
function Viewer({ id }: { id: string }) {
  const view = usePublished(id);
  const wallboard = view.board;
  const fresh = useFreshness(view.proof);
  useTitle(wallboard?.name ?? messages.wallboard());
  if (view.phase === "refused") {
    return <WallboardNotFound text={messages.notFoundViewer()} />;
  }
  if (!wallboard) return <ScreenSkeleton />;
  return (
    <Stack gap={12} h="100%" p={16} pos="relative">
      <h1 className="wf-visually-hidden">{wallboard.name}</h1>
      <AlertStrip id={id} view={view} />
      {fresh === "lost" && view.proof && (
        <FreshnessLine proof={view.proof} zone={wallboard.zone ?? dayZone()} />
      )}
      <FittedWallboard view={view} />
      <span className={classes.corner}>
        <FullScreenButton id={id} name={wallboard.name} />
      </span>
    </Stack>
  );
}
