import { at, ComparedCalls, valuesOf } from "./compared-calls.ts";
import { mayRead, mayReadTable, type RefRow, type RefTable, visibleFields } from "./reference.ts";
import type { Answer } from "./rights-world.ts";
import type { Player } from "./sequence.ts";

interface StreamedChange {
  kind: string;
  record: string;
  set: Record<string, unknown>;
}

interface ShownTile {
  state: string;
  value?: number;
  rows?: { key: string; values?: Record<string, unknown> }[];
}

/** What is sent without a request each time: changes of a table, and the tiles of a wallboard. */
export class LiveCalls extends ComparedCalls {
  /** Follows a table while the owner changes a record of it, and requests what that sent once more. */
  async follow(player: Player): Promise<string> {
    return this.#followTable(player, this.randomTable());
  }

  async #followTable(player: Player, table: RefTable, isRepeated = false): Promise<string> {
    const { actor, user } = player;
    const said = `${actor.id} follows ${table.name}`;
    const first = await actor.socket("subscribe", { table: table.name });
    this.compare(player, said, first, mayReadTable(user, table));
    if (!first.ok) return said;
    actor.heard();
    const change = await this.#ownerUpdates(table);
    await this.#relayed(table);
    const { epoch, seq, scope } = first.body;
    const after = { epoch, seq, scope };
    const again = await actor.socket("subscribe", { table: table.name, after });
    await actor.socket("unsubscribe", { table: table.name });
    const text = `${again.text}\n${actor.heard()}`;
    this.look(player, said, { ...again, text });
    // The model of a moment ago may have reached the relay between both calls: then the scope is another one, once.
    if (again.ok && again.body.resync && !isRepeated) return this.#followTable(player, table, true);
    if (!again.ok || !again.body.replay) this.context.fail(`${said}: no replay: ${again.text}`);
    if (change) {
      const replay = again.body.replay as StreamedChange[];
      this.#compareChange(player, said, table, change, replay);
    }
    return said;
  }

  /** Waits until everything that is stored can be replayed: an edit is acknowledged before it is sent out. */
  async #relayed({ name }: RefTable): Promise<void> {
    const { owner } = this.context.world;
    const head = await owner.socket("query", { table: name, limit: 0 });
    // Every change is sent to the owner, so that nothing but the relay holds their position back.
    for (;;) {
      const { body } = await owner.socket("subscribe", { table: name });
      await owner.socket("unsubscribe", { table: name });
      if (Number(body.seq) >= Number(head.body.seq)) return;
    }
  }

  /** Follows a wallboard of the owner's about one table. */
  async watch(player: Player): Promise<string> {
    const { random, world } = this.context;
    const table = this.randomTable();
    const { actor, user } = player;
    const said = `${actor.id} watches ${table.name}`;
    const base = { table: table.name, layout: { x: 0, y: 0, w: 1, h: 1 } };
    const fields = [...new Set([random.pick(table.fields), random.pick(table.fields)])];
    const tiles = [
      { ...base, id: "count", kind: "number" },
      { ...base, id: "top", kind: "queue", fields: fields.map(({ name }) => name) },
      { ...base, id: "by", kind: "breakdown", group: random.pick(table.fields).name },
      { ...base, id: "news", kind: "activity", fields: fields.map(({ name }) => name) },
    ];
    const made = await world.owner.rest("POST", "/wallboards", { name: "A wallboard", tiles });
    if (!made.ok) this.context.fail(`the owner's wallboard was refused: ${made.text}`);
    const wallboard = String(made.body.id);
    const answer = await this.#frame(player, wallboard);
    await actor.socket("leaveTiles", { wallboard });
    await world.owner.rest("DELETE", `/wallboards/${wallboard}`);
    const frame = answer.body.frame as { tiles: Record<string, ShownTile> } | undefined;
    const { count, top } = frame?.tiles ?? {};
    const isShown = count?.state === "ok";
    const text = `${answer.text}\n${actor.heard()}`;
    this.compare(player, said, { ...answer, text, ok: isShown }, mayReadTable(user, table));
    const seen = [...table.records].filter(([, row]) => mayRead(user, table, row));
    if (isShown && count.value !== seen.length) {
      this.context.fail(`${said}: counts ${count.value} of ${seen.length}`);
    }
    const ids = new Set(seen.map(([id]) => id));
    const names = new Set(visibleFields(user, table).map(({ name }) => name));
    for (const { key, values = {} } of top?.rows ?? []) {
      if (ids.has(key) && Object.keys(values).every((name) => names.has(name))) continue;
      this.context.fail(`${said}: shows ${key} with ${Object.keys(values)}`);
    }
    return said;
  }

  /** A frame with values; what was cut off by revalidation is requested again, as by every client. */
  async #frame({ actor }: Player, wallboard: string): Promise<Answer> {
    for (;;) {
      const answer = await actor.socket("tiles", { wallboard });
      const { code } = (answer.body.error ?? {}) as { code?: string };
      if (code !== "aborted" && !answer.text.includes('"state":"waiting"')) return answer;
    }
  }

  async #ownerUpdates(table: RefTable): Promise<{ record: string; images: RefRow[] } | null> {
    const [record, before] = this.context.random.pick([...table.records]) ?? ["nowhere", null];
    const fields = this.someFields(table).filter(({ made }) => made === null);
    if (!before || fields.length === 0) return null;
    const set = this.randomRow(fields);
    const path = `${at(table)}/${record}?overwrite=true`;
    const answer = await this.context.world.owner.rest("PATCH", path, { set: valuesOf(set) });
    if (!answer.ok) this.context.fail(`the owner's change was refused: ${answer.text}`);
    const after = new Map([...before, ...set]);
    this.put(table, record, after, before);
    return { record, images: [before, after] };
  }

  /**
   * A record that enters is sent whole, one that stays with its visible changes, one that leaves without
   * values.
   */
  #compareChange(
    { user }: Player,
    said: string,
    table: RefTable,
    { record, images: [before, after] }: { record: string; images: RefRow[] },
    replay: readonly StreamedChange[],
  ): void {
    if (!before || !after) return;
    const [was, is] = [before, after].map((row) => mayRead(user, table, row));
    const visible = visibleFields(user, table);
    const changed = visible.filter((field) =>
      [field, ...field.inputs].some((one) => before.get(one) !== after.get(one)),
    );
    const expected = is ? (was ? "update" : "insert") : was ? "delete" : null;
    const got = replay.filter((change) => change.record === record);
    const isExpected = expected !== null && (expected !== "update" || changed.length > 0);
    const kinds = got.map(({ kind }) => kind);
    if (kinds.length > 1 || (kinds[0] ?? null) !== (isExpected ? expected : null)) {
      this.context.fail(`${said}: received ${JSON.stringify(got)}, expected ${expected}`);
    }
    const names = new Set(visible.map(({ name }) => name));
    const set = Object.keys(got[0]?.set ?? {});
    const isWhole = expected !== "insert" || set.length === names.size;
    const isBare = expected !== "delete" || set.length === 0;
    if (!set.every((name) => names.has(name)) || !isWhole || !isBare) {
      this.context.fail(`${said}: received the fields ${set} of ${record} by ${expected}`);
    }
  }
}
