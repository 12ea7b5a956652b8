import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

export interface ReceivedMail {
  to: string;
  /** As the client has named itself. */
  client: string;
  /** The message as it arrived. */
  raw: string;
  id: string;
  subject: string;
  /** Its text and HTML, decoded. */
  body: string;
  headers: string;
}

const REFUSED = 550;

/** A mail server on this machine. */
export class MailReceiver implements AsyncDisposable {
  readonly received: ReceivedMail[] = [];
  /** Recipients that it refuses for good. */
  readonly refused = new Set<string>();
  /** What it answers to each sender in place of taking mail; null: it takes it. */
  closed: { code: number; text: string } | null = null;
  /** How long it takes to accept a mail. */
  delayMs = 0;
  /** Is called with each mail. */
  tap: (mail: ReceivedMail) => void = () => {};
  readonly port: number;
  #server: SMTPServer;

  private constructor(server: SMTPServer, port: number) {
    this.#server = server;
    this.port = port;
  }

  static async open(): Promise<MailReceiver> {
    const holder: { receiver?: MailReceiver } = {};
    const server = createServer(() => holder.receiver as MailReceiver);
    const port = await listen(server, 0);
    holder.receiver = new MailReceiver(server, port);
    return holder.receiver;
  }

  /** What a server of Watchfloor needs to send its mail here. */
  get environment() {
    return {
      SMTP_URL: `smtp://127.0.0.1:${this.port}`,
      MAIL_FROM: "Watchfloor <desk@example.com>",
    };
  }

  of(address: string): ReceivedMail[] {
    return this.received.filter(({ to }) => to === address);
  }

  async stop(): Promise<void> {
    const closed = new Promise<void>((done) => this.#server.close(() => done()));
    for (const connection of this.#server.connections) connection.close();
    await closed;
  }

  async restart(): Promise<void> {
    this.#server = createServer(() => this);
    await listen(this.#server, this.port);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#server.server.listening) await this.stop();
  }
}

function createServer(receiver: () => MailReceiver): SMTPServer {
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS", "AUTH"],
    onMailFrom(_address, _session, done) {
      const { closed } = receiver();
      if (!closed) return done();
      done(Object.assign(new Error(closed.text), { responseCode: closed.code }));
    },
    onRcptTo({ address }, _session, done) {
      if (!receiver().refused.has(address)) return done();
      done(Object.assign(new Error("No such mailbox"), { responseCode: REFUSED }));
    },
    onData(stream, { envelope, hostNameAppearsAs }, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { delayMs, received } = receiver();
        setTimeout(() => {
          const to = envelope.rcptTo[0]?.address ?? "";
          const mail = read(to, Buffer.concat(chunks).toString(), String(hostNameAppearsAs));
          received.push(mail);
          receiver().tap(mail);
          done();
        }, delayMs);
      });
    },
  });
  // A client that was killed.
  server.on("error", () => {});
  return server;
}

async function listen(server: SMTPServer, port: number): Promise<number> {
  const listening = server.listen(port, "127.0.0.1");
  await once(listening, "listening");
  return (listening.address() as AddressInfo).port;
}

function read(to: string, raw: string, client: string): ReceivedMail {
  const end = raw.indexOf("\r\n\r\n");
  const headers = raw.slice(0, end).replace(/\r\n[ \t]+/g, " ");
  const header = (name: string) =>
    new RegExp(`^${name}: (.*)$`, "im").exec(headers)?.[1]?.trim() ?? "";
  const parts = raw.slice(end).split(/^--[^\r\n]+\r\n/m);
  return {
    ...{ to, client, raw, headers },
    id: header("Message-ID"),
    subject: decodeWords(header("Subject")),
    body: parts.map(decodePart).join("\n"),
  };
}

/** Quoted-printable and base64, which is all that the product's mails use. */
function decodePart(part: string): string {
  const end = part.indexOf("\r\n\r\n");
  const [headers, body] = [part.slice(0, end), part.slice(end + 4)];
  if (/base64/i.test(headers)) return Buffer.from(body, "base64").toString();
  if (!/quoted-printable/i.test(headers)) return body;
  return unquoted(body.replace(/=\r\n/g, ""));
}

function unquoted(text: string): string {
  const bytes = text.replace(/=([\dA-F]{2})/g, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return Buffer.from(bytes, "latin1").toString();
}

function decodeWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toLowerCase() === "b"
        ? Buffer.from(word, "base64").toString()
        : unquoted(word.replaceAll("_", " ")),
    );
}
