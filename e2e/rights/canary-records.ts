import type { Values } from "../../shared/model/model.ts";
import type { Dice } from "../convergence/dice.ts";
import type { Desk } from "../harness/desk.ts";
import type { Knowledge } from "./knowledge.ts";
import { canaryFields, groups, impacts } from "./random-role.ts";

const RECORDS = 60;
const TABLE = "incidents";
const CALLERS = 12;

/** The records of a canary world: incidents full of canaries, and the callers whose names label them. */
export class CanaryRecords {
  readonly #desk: Desk;
  readonly #known: Knowledge;
  readonly #dice: Dice;
  readonly #live = new Set<string>();
  readonly #deleted = new Set<string>();
  #made = 0;

  constructor({ desk, known, dice }: { desk: Desk; known: Knowledge; dice: Dice }) {
    this.#desk = desk;
    this.#known = known;
    this.#dice = dice;
  }

  /** Any of the incidents that are there. */
  any(): string {
    return this.#dice.pick([...this.#live]);
  }

  /** One that was deleted; null where there is none. */
  anyDeleted(): string | null {
    return this.#deleted.size > 0 ? this.#dice.pick([...this.#deleted]) : null;
  }

  /** An id that no record has had. */
  nextId(): string {
    this.#made += 1;
    return `canary-${this.#made}`;
  }

  /** A record was created or restored. */
  came(record: string): void {
    this.#live.add(record);
    this.#deleted.delete(record);
  }

  /** A record was deleted, or a creation refused. */
  went(record: string): void {
    this.#known.gone(TABLE, record);
    if (this.#live.delete(record)) this.#deleted.add(record);
  }

  anyCaller(): string {
    return `caller-${this.#dice.below(CALLERS)}`;
  }

  /** In place of whatever incidents there were. */
  async lay(): Promise<void> {
    const { boss, program } = this.#desk;
    await program.query("delete from incidents");
    for (const name of groups)
      await boss.call("POST", "/tables/groups/records", { values: { name } });
    for (let index = 0; index < CALLERS; index++) {
      const record = `caller-${index}`;
      const name = this.#known.mint("boss", { table: "people", record, field: "name" });
      const mail = this.#known.mint("boss", { table: "people", record, field: "email" });
      const values = { name, email: `${mail}@example.com`, location: this.#dice.pick(groups) };
      // the email as a whole is no canary, the word in it is: noted by hand
      this.#known.wrote("people", record, { ...values, email: mail });
      await boss.call("POST", "/tables/people/records", { record, values });
    }
    for (let index = 0; index < RECORDS; index++) {
      const record = this.nextId();
      this.came(record);
      const values = {
        ...this.randomValues("boss", record, canaryFields),
        caller: `caller-${index % CALLERS}`,
      };
      this.#known.wrote("incidents", record, values);
      await boss.call("POST", "/tables/incidents/records", { record, values });
    }
  }

  /** A caller is called otherwise: what labels incidents changes with it. */
  async rename(): Promise<void> {
    const record = this.anyCaller();
    const name = this.#known.mint("boss", { table: "people", record, field: "name" });
    this.#known.wrote("people", record, { name });
    const path = `/tables/people/records/${record}?overwrite=true`;
    await this.#desk.boss.call("PATCH", path, { set: { name } });
    this.#known.answered("people", record);
  }

  /** New canaries of an author, and now and then another group, impact or count. */
  randomValues(author: string, record: string, fields: readonly string[]): Values {
    const values: Values = {};
    for (const field of fields) {
      values[field] = this.#known.mint(author, { table: "incidents", record, field });
    }
    if (this.#dice.next() < 0.4) values.group = this.#dice.pick(groups);
    if (this.#dice.next() < 0.3) values.impact = this.#dice.pick(impacts);
    if (this.#dice.next() < 0.2) values.reassignments = this.#dice.below(6);
    return values;
  }

  /** What was tried was refused: the record is what it is. */
  async settle(record: string): Promise<void> {
    const { values } = await this.#desk.boss.record("incidents", record);
    this.#known.wrote("incidents", record, values);
  }
}
