/** A screen or record that was open, by its title. */
export interface Recent {
  href: string;
  title: string;
}

const SHOWN = 6;

/** The newest first; as long as the page is there. */
let recents: readonly Recent[] = [];

/** Notes what is on the screen, once it has its title. */
export function noteRecent(recent: Recent): void {
  if (recent.title === "") return;
  recents = [recent, ...recents.filter(({ href }) => href !== recent.href)].slice(0, SHOWN);
}

/** What was open before the present screen. */
export function recentScreens(present: string): readonly Recent[] {
  return recents.filter(({ href }) => href !== present);
}
