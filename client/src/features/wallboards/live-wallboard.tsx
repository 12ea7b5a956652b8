import { Box, Portal } from "@mantine/core";
import { IconArrowsMaximize, IconX } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { wallboardsMessages as messages } from "../../messages/en/wallboards.ts";
import { useAtom } from "../../state/use-atom.ts";
import { type WallboardView, wallboardAtom } from "../../state/wallboard-state.ts";
import { followWallboard } from "../../sync/wallboards/wallboards.ts";
import { ServerClock } from "../../tiles/server-clock.tsx";
import { useFreshness } from "../../tiles/use-freshness.ts";
import { Wallboard } from "../../tiles/wallboard.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { useLatest } from "../../ui/use-latest.ts";
import { useFittedSize } from "./designer/use-fitted-size.ts";
import classes from "./live-wallboard.module.css";

/** The published wallboard, live. */
export function usePublished(id: string): WallboardView {
  useEffect(() => followWallboard(id, false), [id]);
  return useAtom(wallboardAtom(id, false));
}

const screenSizes = {
  landscape: { width: 1920, height: 1080 },
  portrait: { width: 1080, height: 1920 },
};

/** A published wallboard with the user's own rights, as large as its place allows. */
export function FittedWallboard({ view }: { view: WallboardView }) {
  const fresh = useFreshness(view.proof);
  const { board } = view;
  const isPortrait = board !== null && board.grid.rows > board.grid.columns;
  const orientation = isPortrait ? "portrait" : "landscape";
  const { ref, size } = useFittedSize(screenSizes[orientation]);
  return (
    <div ref={ref} className={classes.place}>
      {board && (
        <Box bdrs="md" style={{ ...size, overflow: "hidden" }}>
          <ServerClock proof={view.proof}>
            <Wallboard
              wallboard={board}
              frame={view}
              fresh={fresh}
              screen={orientation}
              empty={messages.noTiles()}
            />
          </ServerClock>
        </Box>
      )}
    </div>
  );
}

/** A button that shows the published wallboard on the whole screen. */
export function FullScreenButton({ id, name }: { id: string; name: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton label={messages.fullScreen({ name })} size={28} onClick={() => setOpen(true)}>
        <IconArrowsMaximize size={17} />
      </IconButton>
      {isOpen && (
        <Portal>
          <FullScreen id={id} name={name} onClose={() => setOpen(false)} />
        </Portal>
      )}
    </>
  );
}

/** The whole screen, or the whole page where the browser refuses that, as phones do. Escape and a button leave it. */
function FullScreen({ id, name, onClose }: { id: string; name: string; onClose(): void }) {
  const view = usePublished(id);
  const place = useRef<HTMLDivElement>(null);
  const close = useLatest(onClose);
  useEffect(() => {
    const before = document.activeElement;
    const element = place.current;
    element?.focus();
    element?.requestFullscreen?.().catch(() => undefined);
    const onChange = () => {
      if (document.fullscreenElement === null) close.current();
    };
    document.addEventListener("fullscreenchange", onChange);
    return () => {
      document.removeEventListener("fullscreenchange", onChange);
      if (document.fullscreenElement) void document.exitFullscreen().catch(() => undefined);
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <div
      ref={place}
      role="dialog"
      aria-modal="true"
      aria-label={name}
      tabIndex={-1}
      className={`wf-tiles ${classes.full}`}
      data-theme={view.board?.theme ?? "dark"}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
      }}
    >
      <FittedWallboard view={view} />
      <IconButton
        label={messages.leaveFullScreen()}
        size={36}
        className={classes.leave ?? ""}
        onClick={onClose}
      >
        <IconX size={20} />
      </IconButton>
    </div>
  );
}
