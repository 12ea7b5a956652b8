import { useMemo } from "react";
import { useAbilities } from "../../../state/use-account.ts";
import { listScreens } from "../../../sync/wallboards/wallboards.ts";
import { useRemote } from "../../../ui/use-remote.ts";
import { type ChosenScreen, defaultScreens } from "./screens.ts";

/** A screen that is paired while somebody designs shows up within this time. */
const REFRESH_MS = 60_000;

const none = async () => [];

/** The screens that a board can be looked at on: those that hang somewhere first, then usual ones. */
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
    return [...defaultScreens, ...paired];
  }, [data]);
}
