import type { CommentInfo } from "../../shared/protocol/comments.ts";
import type { SeededRandom } from "../convergence/seeded-random.ts";
import type { TestInstallation } from "../harness/test-installation.ts";
import type { Knowledge } from "./knowledge.ts";
import type { Watcher } from "./watcher.ts";

interface Setting {
  installation: TestInstallation;
  knowledge: Knowledge;
  random: SeededRandom;
}

const TABLE = "incidents";

/** Comments that hold canaries, on records that move in and out of scopes. */
export class CanaryComments {
  readonly #setting: Setting;
  readonly #ids: string[] = [];

  constructor(setting: Setting) {
    this.#setting = setting;
  }

  /** The owner comments on a record; a record that was deleted meanwhile is left alone. */
  async add(record: string): Promise<void> {
    const { installation, knowledge } = this.#setting;
    const text = knowledge.createCanary("boss", { table: TABLE, record });
    const call = { table: TABLE, record, text };
    const made = await installation.ownerUser
      .call<CommentInfo>("POST", "/comments", call)
      .catch(() => null);
    if (made) this.#ids.push(made.id);
  }

  async requestAll({ tapped }: Watcher, record: string): Promise<void> {
    const id = this.#setting.random.pick(this.#ids);
    if (id === undefined) return;
    await tapped.rest("GET", `/comments?table=${TABLE}&record=${record}`);
    await tapped.rest("GET", "/comments?search=cnry&limit=1000");
    await tapped.rest("GET", `/comments/${id}`);
    await tapped.rest("PATCH", `/comments/${id}`, { resolved: true });
    await tapped.rest("DELETE", `/comments/${id}`);
  }
}
