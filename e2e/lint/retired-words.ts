/** Words that docs/GLOSSARY.md replaces. A compound identifier such as `doorOf` counts as its words. */
const retired = wordList(`
  standing stands told tell tells telling retell judge judges judged judging deed deeds door doors reign reigns scene
  scenes sight sights doubt doubts settle settles settled settling discreet seal seals sealed faces mover movers
  persons kept figure figures wish wishes`);
/** Words that code may use: `person` is a field type, Socket.IO has rooms, tests have made-up names. */
const retiredInProse = wordList("person people desk desks room rooms news");
const retiredPhrases =
  /\b(?:in force|goes by|go by|is had|are had|takes? apart|puts? together|worked out|works? out|(?:is|are) away|asked for anew|speaks? of|hand(?:s|ed)? over|taken for|what became of)\b/gi;

/** Terms of the contract and of other products, in which a retired word is right. */
const allowed = [
  /service[- _]desks?|servicedesk/gi,
  /["'`]people["'`]|`presence \{table, people\}`|field type `person`|[`"']person[`"']|no news/gi,
  /WATCHFLOOR_\w+|watchfloor[_.]\w+|desk\.example(?:\.com)?|\.door-code|allSettled/g,
  // keys of messages between servers and of metrics, which two releases share
  /`scenes`|"scenes"|\.scenes\b|\bscenes?:|\.scene\b|\bfigures:|\.figures\b|["`]figures["`]/g,
  /\bpeople \(|\b(?:view|sequence|type|domain|index|table|tables\/) ?people\b|table=people|nextval\('people'\)|into people|"Kept"|people-all|Groups, Incidents, People|groups, people and services|and PEOPLE/g,
  /<\/?figure\b/g,
  /socket\.io(?:'s)? rooms?/gi,
  /0002-people|0003-people-told|0014-events-told|two-people|person-name/g,
];

/** A wallboard that is called a board. `board` alone is a name in frames and of displays. */
export const boardForWallboard =
  /[a-z]Board|(?<![A-Za-z])board[A-Z]\w*|\bBoards?\b|\b(?:an?|the|its|this|every|each|no|of) boards?\b(?! room)/g;

const comment = /^\s*(?:\/?\*|\/\/).*|\s\/\/ .*/;
const title = /(?:\b(?:it|describe|test)(?:\.\w+)*\(|^\s*)["`].*/;

export interface RetiredWord {
  line: number;
  word: string;
}

/** The retired words and phrases of a text, with their lines. All of a document is prose; of code, comments and titles. */
export function retiredWords(text: string, isCode: boolean): RetiredWord[] {
  return text.split("\n").flatMap((whole, index) => {
    const line = allowed.reduce((rest, pattern) => rest.replace(pattern, " "), whole);
    const prose = isCode ? (comment.exec(line)?.[0] ?? title.exec(line)?.[0] ?? "") : line;
    const found = [
      ...wordsOf(line).filter((word) => retired.has(word)),
      ...wordsOf(prose).filter((word) => retiredInProse.has(word)),
      ...(line.match(retiredPhrases) ?? []),
    ];
    return found.map((word) => ({ line: index + 1, word }));
  });
}

function wordList(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

function wordsOf(text: string): string[] {
  const spaced = text.replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2").toLowerCase();
  return spaced.match(/[a-z]+/g) ?? [];
}
