/** The logo of Watchfloor: an eye over the floor line. Decorative, because the name is always beside it. */
export function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="#0b6477" />
      <path
        d="M7 20.5a9 9 0 0 1 18 0"
        fill="none"
        stroke="#fff"
        strokeWidth="2.6"
        strokeLinecap="round"
      />
      <path d="M5.5 25h21" stroke="#fff" strokeWidth="2.6" strokeLinecap="round" />
      <circle cx="16" cy="19" r="3" fill="#7fe0ea" />
    </svg>
  );
}
