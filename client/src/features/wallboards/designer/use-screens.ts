import { useMemo } from "react";
import { useAbilities } from "../../../state/use-account.ts";
import { listScreens } from "../../../sync/wallboards/wallboards.ts";
import { useRemote } from "../../../ui/use-remote.ts";
import { type ChosenScreen, defaultScreens } from "./screens.ts";

/** A display that is paired meanwhile appears within this time. */
const REFRESH_MS = 60_000;

const none = async () => [];

/** The screens to preview a board on: common sizes, then paired displays. */
export function useScreens(): readonly ChosenScreen[] {
  const mayList = useAbilities().rights.includes("displays");
  const { data } = useRemote(mayList ? listScreens : none, REFRESH_MS);
  return useMemo(() => {
    const paired = (data ?? []).map(({ id, name, width, height }) => ({
      key: `display ${id}`,
      label: `${name}, ${width} × ${height}`,
      width,
      height,
    }));
    return [...defaultScreens(), ...paired];
  }, [data]);
}
