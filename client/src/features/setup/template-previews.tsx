import classes from "./template-cards.module.css";

/** Small decorative pictures of the templates. */

const rows = [
  { state: "blue", title: 96, person: "grape" },
  { state: "teal", title: 72, person: "orange" },
  { state: "yellow", title: 110, person: "teal" },
  { state: "teal", title: 84, person: "indigo" },
  { state: "green", title: 64, person: "red" },
];

const ROW_HEIGHT = 18;
const colour = (name: string) => `var(--mantine-color-${name}-6)`;

/** A table with states, titles, users, and a cell that another user edits. */
export function ServiceDeskPreview() {
  return (
    <svg viewBox="0 0 264 112" className={classes.preview} aria-hidden="true" focusable="false">
      {rows.map(({ state, title, person }, at) => (
        <g key={title} transform={`translate(16 ${16 + at * ROW_HEIGHT})`}>
          <rect y="0" width="30" height="6" rx="2" fill="var(--wf-line-strong)" />
          <rect x="44" width={title} height="6" rx="2" fill="var(--wf-text-dim)" opacity="0.55" />
          <rect x="168" y="-2" width="34" height="10" rx="5" fill={colour(state)} opacity="0.3" />
          <circle cx="174" cy="3" r="2" fill={colour(state)} />
          <circle cx="222" cy="3" r="5" fill={colour(person)} opacity="0.75" />
        </g>
      ))}
      <rect
        x="55"
        y="45"
        width="122"
        height="16"
        rx="3"
        fill="none"
        stroke={colour("orange")}
        strokeWidth="1.5"
      />
      <rect x="146" y="36" width="31" height="9" rx="2" fill={colour("orange")} />
    </svg>
  );
}

const levels = [62, 88, 34, 74, 18];

/** Stock levels per article; two are low. */
export function OrdersStockPreview() {
  return (
    <svg viewBox="0 0 264 112" className={classes.preview} aria-hidden="true" focusable="false">
      {levels.map((level, at) => (
        <g key={level} transform={`translate(16 ${16 + at * ROW_HEIGHT})`}>
          <rect y="0" width="40" height="6" rx="2" fill="var(--wf-line-strong)" />
          <rect x="56" width="72" height="6" rx="2" fill="var(--wf-text-dim)" opacity="0.55" />
          <rect x="144" y="-1" width="88" height="8" rx="4" fill="var(--wf-line-strong)" />
          <rect
            x="144"
            y="-1"
            width={level}
            height="8"
            rx="4"
            fill={colour(level < 40 ? "orange" : "teal")}
            opacity="0.75"
          />
        </g>
      ))}
    </svg>
  );
}

/** An empty frame. */
export function EmptyPreview() {
  return (
    <svg viewBox="0 0 264 112" className={classes.preview} aria-hidden="true" focusable="false">
      <rect
        x="72"
        y="28"
        width="120"
        height="56"
        rx="8"
        fill="none"
        stroke="var(--wf-line-strong)"
        strokeWidth="1.5"
        strokeDasharray="5 5"
      />
      <path
        d="M132 46v20M122 56h20"
        stroke="var(--wf-text-dim)"
        strokeWidth="1.75"
        strokeLinecap="round"
      />
    </svg>
  );
}
