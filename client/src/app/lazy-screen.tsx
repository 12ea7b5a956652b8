import { type FunctionComponent, lazy } from "react";
import { isBuildOutdated } from "../transport/rest/build.ts";

/** Thrown when the code of a screen could not be loaded. */
export class ScreenNotLoaded extends Error {
  /** The server has a newer build without this build's files, so only a reload helps. */
  readonly isOutdated: boolean;
  /** Makes the next attempt to show the screen load its code again. */
  readonly discard: () => void;

  constructor(isOutdated: boolean, discard: () => void, cause: unknown) {
    super("screen-not-loaded", { cause });
    this.isOutdated = isOutdated;
    this.discard = discard;
  }
}

/** The styles of components that the first load has none of. */
export const loadScreenStyles = () => import("./screen-styles.ts");

/**
 * A screen whose code is loaded when it is first shown. React's `lazy` never retries after a failure. Here the failure can
 * be discarded. The error boundary does so once it shows the error; earlier, React would load again immediately.
 */
export function lazyScreen<Screen extends FunctionComponent<never>>(
  load: () => Promise<Screen>,
): Screen {
  const attempt = () =>
    lazy(async () => {
      try {
        const [screen] = await Promise.all([load(), loadScreenStyles()]);
        return { default: screen as unknown as FunctionComponent<object> };
      } catch (error) {
        const discard = () => {
          Current = attempt();
        };
        throw new ScreenNotLoaded(await isBuildOutdated(), discard, error);
      }
    });
  let Current: FunctionComponent<object> = attempt();
  const LazyScreen: FunctionComponent<object> = (props) => <Current {...props} />;
  return LazyScreen as unknown as Screen;
}
