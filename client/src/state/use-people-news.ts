import { peopleNewsAtom } from "./people-news.ts";
import { useAtom } from "./use-atom.ts";

/** Another number each time that something was done to people or roles, or was written down of them. */
export function usePeopleNews(): number {
  return useAtom(peopleNewsAtom);
}
