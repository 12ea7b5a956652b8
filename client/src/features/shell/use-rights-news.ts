import { useEffect, useRef } from "react";
import { useDesk } from "../../state/use-account.ts";
import { toast } from "../../ui/toast.tsx";
import { rightsNews } from "./rights-news.ts";

/** Says what changed when somebody has changed my rights while I work: screens change under my hands. */
export function useRightsNews(): void {
  const desk = useDesk();
  const known = useRef(desk);
  useEffect(() => {
    const news = rightsNews(known.current, desk);
    known.current = desk;
    if (news) toast(news);
  }, [desk]);
}
