import { Box, Group, Stack } from "@mantine/core";
import { useEffect } from "react";
import { wallboardsMessages as messages } from "../../messages/en/wallboards.ts";
import { useAbilities } from "../../state/use-account.ts";
import { useAtom } from "../../state/use-atom.ts";
import { wallboardAtom } from "../../state/wallboard-state.ts";
import { followWallboard } from "../../sync/wallboards/wallboards.ts";
import { ServerClock } from "../../tiles/server-clock.tsx";
import { useFreshness } from "../../tiles/use-freshness.ts";
import { Wallboard } from "../../tiles/wallboard.tsx";
import { ScreenSkeleton } from "../../ui/screen-skeleton.tsx";
import { useTitle } from "../../ui/use-title.ts";
import { AlertStrip } from "./alerts/alert-strip.tsx";
import { Designer } from "./designer/designer.tsx";
import { useFittedSize } from "./designer/use-fitted-size.ts";
import { FreshnessLine } from "./freshness-line.tsx";
import { WallboardNotFound } from "./wallboard-not-found.tsx";

/** One wallboard: the designer for users who may change it, the published wallboard for all others. */
export function WallboardScreen({ id }: { id: string }) {
  const mayChange = useAbilities().rights.includes("wallboards");
  return mayChange ? <Designer id={id} /> : <Viewer id={id} />;
}

const screenSizes = {
  landscape: { width: 1920, height: 1080 },
  portrait: { width: 1080, height: 1920 },
};

/** The published wallboard with the user's own rights, scaled to the page. */
function Viewer({ id }: { id: string }) {
  const view = useAtom(wallboardAtom(id, false));
  const wallboard = view.board;
  const fresh = useFreshness(view.proof);
  const isPortrait = wallboard !== null && wallboard.grid.rows > wallboard.grid.columns;
  const orientation = isPortrait ? "portrait" : "landscape";
  const { ref, size } = useFittedSize(screenSizes[orientation]);
  useEffect(() => followWallboard(id, false), [id]);
  useTitle(wallboard?.name ?? messages.wallboard());
  if (view.phase === "refused") {
    return <WallboardNotFound text={messages.notFoundViewer()} />;
  }
  if (!wallboard) return <ScreenSkeleton />;
  return (
    <Stack gap={12} h="100%" p={16}>
      <h1 className="wf-visually-hidden">{wallboard.name}</h1>
      <AlertStrip id={id} view={view} />
      {fresh === "lost" && view.proof && <FreshnessLine proof={view.proof} zone={wallboard.zone} />}
      <Group justify="center" ref={ref} flex={1} miw={0} mih={0}>
        <Box bdrs="md" style={{ ...size, overflow: "hidden" }}>
          <ServerClock proof={view.proof}>
            <Wallboard
              wallboard={wallboard}
              frame={view}
              fresh={fresh}
              screen={orientation}
              empty={messages.noTiles()}
            />
          </ServerClock>
        </Box>
      </Group>
    </Stack>
  );
}
