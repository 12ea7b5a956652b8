import type { Series } from "./typing-series.ts";

/**
 * The smallest series found that still fails: inputs and actions of colleagues are left out, first many at a time, then one by one.
 * `play` answers how a series differs from the reference, null if it does not.
 */
export async function shrink(
  series: Series,
  play: (candidate: Series) => Promise<string | null>,
): Promise<string> {
  let smallest = series;
  let failure = "";
  const tryOne = async (candidate: Series) => {
    const found = await play(candidate);
    if (found === null) return false;
    smallest = candidate;
    failure = found;
    return true;
  };
  if (series.meanwhile.length > 0) await tryOne({ ...series, meanwhile: [] });
  for (let at = smallest.meanwhile.length - 1; at >= 0; at -= 1)
    await tryOne({ ...smallest, meanwhile: smallest.meanwhile.toSpliced(at, 1) });
  for (
    let size = Math.ceil(series.inputs.length / 2);
    size >= 1;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  )
    for (let end = smallest.inputs.length; end > 0; end -= size)
      await tryOne(withoutInputs(smallest, Math.max(0, end - size), end));
  return failure || ((await play(series)) ?? "It did not fail again.");
}

/** Actions of colleagues stay at the inputs that they came with. */
function withoutInputs(series: Series, from: number, end: number): Series {
  const inputs = series.inputs.toSpliced(from, end - from);
  const meanwhile = series.meanwhile.map((each) => ({
    ...each,
    after: each.after >= end ? each.after - (end - from) : Math.min(each.after, from),
  }));
  return { ...series, inputs, meanwhile };
}
