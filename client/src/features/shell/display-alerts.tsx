import { useEffect } from "react";
import { displayNewsAtom } from "../../state/display-news.ts";
import { useAtom } from "../../state/use-atom.ts";
import { toast, toastFailure } from "../../ui/toast.tsx";

/** Tells whoever manages displays, on whatever screen they are, that one went dark or is back. */
export function DisplayAlerts() {
  const news = useAtom(displayNewsAtom);
  useEffect(() => {
    if (!news) return;
    const { name, status } = news;
    if (status === "offline") {
      toastFailure(`The display “${name}” went dark. It was not heard for half a minute.`);
    } else toast(`The display “${name}” is back.`);
  }, [news]);
  return null;
}
