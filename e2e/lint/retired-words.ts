/** Words that docs/GLOSSARY.md replaces. A compound identifier such as `doorOf` counts as its words. */
const retired = new Set(
  `standing stands told tell tells telling retell judge judges judged judging deed deeds desk desks room rooms door doors
  reign reigns scene scenes sight sights doubt doubts settle settles settled settling discreet seal seals sealed news
  faces mover movers people person persons kept figure figures wish wishes`.split(/\s+/),
);
const retiredPhrases =
  /\b(?:in force|goes by|go by|is had|are had|takes? apart|puts? together|worked out|works? out)\b/gi;

/** Terms of the contract and of other products, in which a retired word is right. */
const allowed = [
  /service[- _]desks?|servicedesk/gi,
  /\bfield type `person`|[`"']person[`"']|\bperson-name|\b`person`/g,
  /[`"'/]people\b[`"']?|\bpeople[`"'}]|\bpeople:|\.people\b|watchfloor_people/g,
  /WATCHFLOOR_\w+|`scenes`|desk\.example\.com/g,
  /socket\.io(?:'s)? rooms?/gi,
  /0002-people|0003-people-told|0014-events-told|two-people/g,
];

export interface RetiredWord {
  line: number;
  word: string;
}

/** The retired words and phrases of a text, with their lines. */
export function retiredWords(text: string): RetiredWord[] {
  return text.split("\n").flatMap((whole, index) => {
    const line = allowed.reduce((rest, pattern) => rest.replace(pattern, " "), whole);
    const words = line
      .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
      .toLowerCase()
      .match(/[a-z]+/g);
    const found = (words ?? []).filter((word) => retired.has(word));
    const phrases = line.match(retiredPhrases) ?? [];
    return [...found, ...phrases].map((word) => ({ line: index + 1, word }));
  });
}
