/** Whether the server's page loads another script than this one. False when the server can't be reached. */
export async function isBuildOutdated(): Promise<boolean> {
  const own = document.querySelector('script[src^="/assets/"]')?.getAttribute("src");
  if (!own) return false;
  try {
    const answer = await fetch("/", { cache: "no-store", headers: { accept: "text/html" } });
    return answer.ok && !(await answer.text()).includes(own);
  } catch {
    return false;
  }
}
