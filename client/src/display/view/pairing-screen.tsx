import { useState } from "react";
import type { Pairing } from "../../../../shared/protocol/displays.ts";
import { displayMessages as messages } from "../../messages/en/display.ts";
import { richText } from "../../messages/rich-text.tsx";
import { lengthText } from "../../tiles/length-text.ts";
import { QrMark } from "../../tiles/parts/qr-mark.tsx";
import { useNow } from "../../tiles/tile-clock.ts";
import { canStoreCookies } from "../../transport/storage/browser-storage.ts";
import type { ShownCode } from "../core/pairing.ts";

interface Props {
  pairing: ShownCode;
  wasRevoked: boolean;
}

/** The pairing code in large letters, and what to do with it. */
export function PairingScreen({ pairing, wasRevoked }: Props) {
  const [hasCookies] = useState(canStoreCookies);
  return (
    <main className="notice">
      <h1 className="notice-title">{wasRevoked ? messages.revoked() : messages.pair()}</h1>
      {hasCookies ? <CurrentCode pairing={pairing} /> : <CookiesBlocked />}
    </main>
  );
}

function CurrentCode({ pairing }: Pick<Props, "pairing">) {
  if (pairing === "elsewhere") return <CodeElsewhere />;
  return pairing ? <Code key={pairing.code} pairing={pairing} /> : <NoCode />;
}

/** The credential of a display is a cookie. */
function CookiesBlocked() {
  return (
    <p className="notice-text" role="status">
      {messages.cookiesBlocked({ host: location.host })}
    </p>
  );
}

const displaysAddress = () => `${location.host}/admin/displays`;

function Code({ pairing: { code, expires, now } }: { pairing: Pairing }) {
  const [shownAt] = useState(() => Date.now());
  const left = Date.parse(expires) - Date.parse(now) - (useNow() - shownAt);
  const halves = [code.slice(0, code.length / 2), code.slice(code.length / 2)];
  return (
    <>
      <p className="pairing-code">
        <span className="wf-visually-hidden">{code}</span>
        {halves.map((half) => (
          <span key={half} aria-hidden="true">
            {half}
          </span>
        ))}
      </p>
      <div className="pairing-foot">
        <div className="pairing-qr">
          <QrMark address={`/admin/displays?code=${code}`} />
        </div>
        <div>
          <p className="notice-text">
            {richText(messages.enterCode(), { b: (path) => <b>{path}</b> })}
            <br />
            {displaysAddress()}
          </p>
          <p className="notice-dim">{messages.validFor({ time: lengthText(Math.max(left, 0)) })}</p>
        </div>
      </div>
    </>
  );
}

/** A browser has one pairing code at a time. */
function CodeElsewhere() {
  return (
    <p className="notice-text" role="status">
      {messages.codeElsewhere()}
      <br />
      {messages.codeElsewhereHint()}
    </p>
  );
}

function NoCode() {
  return (
    <p className="notice-text" role="status">
      {messages.noCode()}
    </p>
  );
}
