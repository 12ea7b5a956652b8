import type { ReactNode } from "react";

const WEB_ADDRESS = /(https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]}])/gi;

/** A text in which web addresses are links. Everything else is shown as it is written. */
export function LinkedText({ text }: { text: string }) {
  return text.split(WEB_ADDRESS).map((part, index) => {
    const key = `${index} ${part}`;
    if (index % 2 === 0) return part;
    return (
      <OutsideLink key={key} href={part}>
        {part}
      </OutsideLink>
    );
  });
}

interface OutsideLinkProps {
  href: string;
  className?: string | undefined;
  label?: string;
  children: ReactNode;
}

/** A link to another site, which learns neither the page it was on nor how to reach it. */
export function OutsideLink({ href, className, label, children }: OutsideLinkProps) {
  return (
    <a
      href={href}
      className={className}
      aria-label={label}
      title={label}
      target="_blank"
      rel="noopener noreferrer"
    >
      {children}
    </a>
  );
}
