import type { CommentInfo } from "../../../../shared/protocol/comments.ts";
import { splitMentions } from "../../../../shared/protocol/mentions.ts";
import { commentMessages as messages } from "../../messages/en/comments.ts";
import { useMe } from "../../state/use-account.ts";
import { LinkedText } from "../linked-text.tsx";
import classes from "./comments.module.css";

type Text = Pick<CommentInfo, "text" | "mentions">;

/** The text of a comment with links and mentions. Nothing in it is markup. */
export function CommentText({ text, mentions }: Text) {
  const me = useMe();
  return (
    <p dir="auto" className={classes.text}>
      {splitMentions(text).map((part, index) => {
        const key = `${index}`;
        if ("text" in part) return <LinkedText key={key} text={part.text} />;
        const user = mentions.find(({ id }) => id === part.user);
        return (
          <span key={key} className={classes.mention} data-me={part.user === me.id || undefined}>
            @{user?.name ?? messages.formerUser()}
          </span>
        );
      })}
    </p>
  );
}

/** The name of the author; of one whose account was removed, only that. */
export function commentAuthor({ author }: Pick<CommentInfo, "author">): string {
  return author.kind === "user" && author.colour === "" ? messages.formerUser() : author.name;
}
