import { inboxMessages as messages } from "../messages/en/inbox.ts";
import { rest } from "../transport/rest/rest.ts";
import { toast, toastProblem } from "../ui/toast.tsx";
import { useRemote } from "../ui/use-remote.ts";

/** Whether the user watches a record or a view, and changes that. Null until it is known. */
export function useWatch(
  table: string,
  of: { record: string } | { view: string },
): { isWatched: boolean | null; toggle(): void } {
  const key = JSON.stringify([table, of]);
  const { data, reload } = useRemote(() => rest("GET /watches"), { key, on: ["inbox"] });
  const watch = data?.items.find((one) =>
    "view" in of ? one.view === of.view : one.table === table && one.record === of.record,
  );
  const toggle = () => {
    const done = watch
      ? rest("DELETE /watches/{id}", { params: { id: watch.id } })
      : rest("PUT /watches", { body: { table, ...of } });
    const noted = "view" in of ? messages.watchingView : messages.watching;
    done.then(() => toast(watch ? messages.unwatched() : noted()), toastProblem).finally(reload);
  };
  return { isWatched: data ? watch !== undefined : null, toggle };
}
