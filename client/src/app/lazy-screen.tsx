import { type FunctionComponent, lazy } from "react";

/** The code of a screen did not arrive. */
export class ScreenNotLoaded extends Error {
  /** The server has a newer build, without the files of this one: only a reload helps. */
  readonly isOutdated: boolean;
  /** Lets the next attempt to show the screen load it again. */
  readonly discard: () => void;

  constructor(isOutdated: boolean, discard: () => void, cause: unknown) {
    super("The code of this screen did not arrive.", { cause });
    this.isOutdated = isOutdated;
    this.discard = discard;
  }
}

/**
 * A screen whose code arrives when it is first shown. React's `lazy` keeps a failure for good. Here the failure can be
 * discarded, which the error boundary does once it shows it: not earlier, or React would load again at once.
 */
export function lazyScreen<Screen extends FunctionComponent<never>>(
  load: () => Promise<Screen>,
): Screen {
  const attempt = () =>
    lazy(async () => {
      try {
        return { default: (await load()) as unknown as FunctionComponent<object> };
      } catch (error) {
        const discard = () => {
          Current = attempt();
        };
        throw new ScreenNotLoaded(await isOutdated(), discard, error);
      }
    });
  let Current: FunctionComponent<object> = attempt();
  const LazyScreen: FunctionComponent<object> = (props) => <Current {...props} />;
  return LazyScreen as unknown as Screen;
}

/** Whether the server's page begins with another script than this one. Without an answer it is not known to. */
async function isOutdated(): Promise<boolean> {
  const own = document.querySelector('script[src^="/assets/"]')?.getAttribute("src");
  if (!own) return false;
  try {
    const answer = await fetch("/", { cache: "no-store", headers: { accept: "text/html" } });
    return answer.ok && !(await answer.text()).includes(own);
  } catch {
    return false;
  }
}
