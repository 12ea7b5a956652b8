import type { Model } from "../../../../../shared/model/model.ts";
import { branch, type Difference, isSame, list, type Part, type Path } from "./model-tree.ts";
import { putTogether } from "./put-together.ts";
import { takeApart } from "./take-apart.ts";

/** One part that two people changed, each in their own way. */
export interface Clash {
  /** The path as one text: what a choice is kept under. */
  key: string;
  path: Path;
  mine: Difference;
  theirs: Difference;
}

export type Side = "mine" | "theirs";

export interface Merged {
  model: Model;
  clashes: Clash[];
}

/**
 * My changes on top of theirs: each part that only one of us changed is as that one made it; where both
 * did, `choices` decides by the clash's key, and mine wins where nothing was chosen. The version is theirs.
 */
export function mergeModels(
  base: Model,
  mine: Model,
  theirs: Model,
  choices: Readonly<Record<string, Side>> = {},
): Merged {
  const clashes: Clash[] = [];
  const settle = (path: Path, three: Three): Part | undefined => {
    const key = path.join("\u0000");
    clashes.push({
      key,
      path,
      mine: { path, from: three.base, to: three.mine },
      theirs: { path, from: three.base, to: three.theirs },
    });
    return choices[key] === "theirs" ? three.theirs : three.mine;
  };
  const three = { base: takeApart(base), mine: takeApart(mine), theirs: takeApart(theirs) };
  const merged = merge([], three, settle) ?? branch([]);
  return { model: putTogether(merged, theirs.version), clashes };
}

interface Three {
  base: Part | undefined;
  mine: Part | undefined;
  theirs: Part | undefined;
}

type Settle = (path: Path, three: Three) => Part | undefined;

function merge(path: Path, three: Three, settle: Settle): Part | undefined {
  const { base, mine, theirs } = three;
  if (isSame(mine, base) || isSame(mine, theirs)) return theirs;
  if (isSame(theirs, base)) return mine;
  if (mine?.kind === "branch" && theirs?.kind === "branch") {
    const was = base?.kind === "branch" ? base.parts : new Map<string, Part>();
    const keys = new Set([...theirs.parts.keys(), ...mine.parts.keys(), ...was.keys()]);
    return branch(
      [...keys].map((key) => {
        const below = {
          base: was.get(key),
          mine: mine.parts.get(key),
          theirs: theirs.parts.get(key),
        };
        return [key, merge([...path, key], below, settle)] as const;
      }),
    );
  }
  if (mine?.kind === "list" && theirs?.kind === "list") {
    const was = base?.kind === "list" ? base.items : [];
    const joined = mergeLists(was, mine.items, theirs.items);
    if (joined) return list(joined);
  }
  return settle(path, three);
}

/** Both sides' additions and removals; null where both have put what stays into another order. */
function mergeLists(base: string[], mine: string[], theirs: string[]): string[] | null {
  const stays = (item: string) => mine.includes(item) && theirs.includes(item);
  const kept = (items: string[]) => items.filter((item) => stays(item) && base.includes(item));
  const moved = (items: string[]) => kept(items).join("\n") !== kept(base).join("\n");
  if (moved(mine) && moved(theirs) && kept(mine).join("\n") !== kept(theirs).join("\n"))
    return null;
  const [leads, follows] = moved(mine) ? [mine, theirs] : [theirs, mine];
  const gone = (item: string) => base.includes(item) && !stays(item);
  const result = leads.filter((item) => !gone(item));
  for (const [index, item] of follows.entries()) {
    if (result.includes(item) || gone(item)) continue;
    const before = follows.slice(0, index).findLast((one) => result.includes(one));
    result.splice(before === undefined ? 0 : result.indexOf(before) + 1, 0, item);
  }
  return result;
}
