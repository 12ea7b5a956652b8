/** The logo of Watchfloor: an eye over the floor line. Decorative, because the name is always beside it. */
export function Mark({ size = 24 }: { size?: number }) {
  return <img src="/mark.svg" width={size} height={size} alt="" />;
}
