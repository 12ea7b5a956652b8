import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook, WebhookVerificationError } from "standardwebhooks";
import type { WebhookBody } from "../../shared/protocol/webhooks.ts";

export interface Received {
  id: string;
  signatures: string[];
  isVerified: boolean;
  body: WebhookBody;
}

/** A receiver of webhooks on this machine. It verifies each request, as docs/guides/webhooks.md shows. */
export class Receiver implements AsyncDisposable {
  secret = "";
  /** The status of the next answers, by their requests. */
  answer: (received: Received) => number | Promise<number> = () => 200;
  /** Is called with the text of each request and its path. */
  tap: (text: string, path: string) => void = () => {};
  readonly received: Received[] = [];
  /** Answers that nobody waited for any more, or that were cut off: their requests are repeated. */
  lostAnswers = 0;
  readonly port: number;
  #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
  }

  static async open(): Promise<Receiver> {
    const server = await listen(0);
    const receiver = new Receiver(server);
    receiver.#serve();
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/events`;
  }

  /** What was answered by success, without repetitions, in the order of arrival. */
  bodies(): WebhookBody[] {
    return [...new Map(this.received.map((one) => [one.id, one.body])).values()];
  }

  /** Ends at once, with all its connections. */
  async kill(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  async restart(): Promise<void> {
    this.#server = await listen(this.port);
    this.#serve();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#server.listening) await this.kill();
  }

  #serve(): void {
    this.#server.on("request", async (request, response) => {
      response.once("close", () => {
        if (!response.writableFinished) this.lostAnswers += 1;
      });
      const chunks: Buffer[] = [];
      try {
        for await (const chunk of request) chunks.push(chunk as Buffer);
      } catch {
        return;
      }
      const text = Buffer.concat(chunks).toString("utf8");
      this.tap(text, String(request.url));
      const header = (name: string) => String(request.headers[name]);
      const id = header("webhook-id");
      const signatures = header("webhook-signature").split(" ");
      const isVerified = verifies(this.secret, text, request.headers);
      const received = { id, signatures, isVerified, body: JSON.parse(text) };
      const status = await this.answer(received);
      if (status < 300) this.received.push(received);
      response.writeHead(status, { location: "/elsewhere" }).end(`answer ${status}`);
    });
  }
}

function verifies(secret: string, text: string, headers: IncomingHttpHeaders): boolean {
  if (secret === "") return false;
  try {
    new Webhook(secret).verify(text, headers as Record<string, string>);
    return true;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false;
    throw error;
  }
}

async function listen(port: number): Promise<Server> {
  const server = createServer();
  server.listen(port, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  return server;
}
