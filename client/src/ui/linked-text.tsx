/** A text in which web addresses are links. Everything else is shown as it is written. */

const WEB_ADDRESS = /(https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]}])/gi;

/** Opens elsewhere, and tells the other site neither the page nor how to reach it. */
export const outsideLink = { target: "_blank", rel: "noopener noreferrer" } as const;

export function LinkedText({ text }: { text: string }) {
  return text.split(WEB_ADDRESS).map((part, index) => {
    const key = `${index} ${part}`;
    if (index % 2 === 0) return part;
    return (
      <a key={key} href={part} {...outsideLink}>
        {part}
      </a>
    );
  });
}
