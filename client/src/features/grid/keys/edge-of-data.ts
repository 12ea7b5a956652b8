/**
 * Where Ctrl and an arrow lead: from a filled cell beside a filled one to the last of these, otherwise to the next filled
 * one, or to the end.
 */
export function edgeOfData(
  from: number,
  step: number,
  count: number,
  isFilled: (index: number) => boolean,
): number {
  const isInside = (index: number) => index >= 0 && index < count;
  let at = from + step;
  if (!isInside(at)) return from;
  const isRun = isFilled(from) && isFilled(at);
  const isEnd = () => (isRun ? !isFilled(at + step) : isFilled(at));
  while (isInside(at + step) && !isEnd()) at += step;
  return at;
}
