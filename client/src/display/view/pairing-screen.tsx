import { useState } from "react";
import type { Pairing } from "../../../../shared/protocol/displays.ts";
import { lengthText } from "../../tiles/length-text.ts";
import { QrMark } from "../../tiles/parts/qr-mark.tsx";
import { useNow } from "../../tiles/tile-clock.ts";
import type { ShownCode } from "../core/pairing.ts";

interface Props {
  pairing: ShownCode;
  wasRevoked: boolean;
}

/** The code, readable across a hall, and what to do with it. */
export function PairingScreen({ pairing, wasRevoked }: Props) {
  return (
    <main className="door">
      <h1 className="door-title">{wasRevoked ? "This display was revoked" : "Pair this screen"}</h1>
      {pairing === "elsewhere" && <CodeElsewhere />}
      {pairing === null && <NoCode />}
      {pairing && pairing !== "elsewhere" && <Code key={pairing.code} pairing={pairing} />}
    </main>
  );
}

function Code({ pairing: { code, expires, now } }: { pairing: Pairing }) {
  const [shownAt] = useState(() => Date.now());
  const left = Date.parse(expires) - Date.parse(now) - (useNow() - shownAt);
  const halves = [code.slice(0, code.length / 2), code.slice(code.length / 2)];
  return (
    <>
      <p className="door-code">
        <span className="hidden">{code}</span>
        {halves.map((half) => (
          <span key={half} aria-hidden="true">
            {half}
          </span>
        ))}
      </p>
      <div className="door-foot">
        <div className="door-qr">
          <QrMark address={`/admin/displays?code=${code}`} />
        </div>
        <div>
          <p className="door-lead">
            Type it in the console under <b>Administration › Displays</b>
            <br />
            {location.host}/admin/displays
          </p>
          <p className="door-dim">Valid for {lengthText(Math.max(left, 0))} more</p>
        </div>
      </div>
    </>
  );
}

/** One browser is one screen: two codes of it can't both count. */
function CodeElsewhere() {
  return (
    <p className="door-lead" role="status">
      Another tab of this browser shows the code.
      <br />
      Use that one, or reload this page for a new code here.
    </p>
  );
}

function NoCode() {
  return (
    <p className="door-lead" role="status">
      No code can be had at the moment. This screen goes on trying.
    </p>
  );
}
