import { Button } from "@mantine/core";
import { IconDeviceTv } from "@tabler/icons-react";
import { Link } from "wouter";
import { Notice } from "../../ui/notice.tsx";

/** In place of a wallboard that is not there, or not for me; `text` says what may have become of it. */
export function WallboardNotFound({ text }: { text: string }) {
  return (
    <Notice
      icon={<IconDeviceTv size={28} stroke={1.5} />}
      title="There is no such wallboard"
      text={text}
    >
      <Button component={Link} href="/wallboards">
        All wallboards
      </Button>
    </Notice>
  );
}
