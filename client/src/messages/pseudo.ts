const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const accented = "áƀçđéƒĝĥíĵķļɱñóþɋŕšŧúṽŵẋýžÁƁÇĐÉḞĜĤÍĴĶĻṀÑÓṔɊŔŠŦÚṼŴẊÝŽ";

/**
 * A language for tests: English with accented letters, in brackets, a third longer. Plain letters on the screen that are no
 * data bypass the catalogue; a text that is cut off leaves no space for longer languages.
 */
export function pseudoText(text: string): string {
  const parts = text
    .split(/(<\/?\w+>)/)
    .map((part, index) => (index % 2 === 1 ? part : accentedText(part)));
  return `⟦${parts.join("")}${padding(Math.ceil(text.length / 3))}⟧`;
}

/** Tildes with spaces between, because words of another language wrap too. */
function padding(length: number): string {
  return "~".repeat(length).replace(/~{6}(?=~)/g, "$& ");
}

function accentedText(text: string): string {
  return [...text].map((letter) => accented[plain.indexOf(letter)] ?? letter).join("");
}
