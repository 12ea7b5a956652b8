import type { Values } from "../../shared/model/model.ts";
import type { SeededRandom } from "../convergence/seeded-random.ts";
import type { TestInstallation } from "../harness/test-installation.ts";
import type { Knowledge } from "./knowledge.ts";
import { canaryFields, groups, impacts } from "./random-role.ts";

const RECORDS = 60;
const TABLE = "incidents";
const CALLERS = 12;

/** The records of a canary world: incidents full of canaries, and the callers whose names label them. */
export class CanaryRecords {
  readonly #installation: TestInstallation;
  readonly #knowledge: Knowledge;
  readonly #random: SeededRandom;
  readonly #live = new Set<string>();
  readonly #deleted = new Set<string>();
  #made = 0;

  constructor({
    installation,
    knowledge,
    random,
  }: { installation: TestInstallation; knowledge: Knowledge; random: SeededRandom }) {
    this.#installation = installation;
    this.#knowledge = knowledge;
    this.#random = random;
  }

  /** Any of the incidents that are there. */
  any(): string {
    return this.#random.pick([...this.#live]);
  }

  /** One that was deleted; null where there is none. */
  anyDeleted(): string | null {
    return this.#deleted.size > 0 ? this.#random.pick([...this.#deleted]) : null;
  }

  /** An id that no record has had. */
  nextId(): string {
    this.#made += 1;
    return `canary-${this.#made}`;
  }

  /** A record was created or restored. */
  markPresent(record: string): void {
    this.#live.add(record);
    this.#deleted.delete(record);
  }

  /** A record was deleted, or a creation refused. */
  markDeleted(record: string): void {
    this.#knowledge.markDeleted(TABLE, record);
    if (this.#live.delete(record)) this.#deleted.add(record);
  }

  anyCaller(): string {
    return `caller-${this.#random.below(CALLERS)}`;
  }

  /** In place of whatever incidents there were. */
  async insertAll(): Promise<void> {
    const { ownerUser, program } = this.#installation;
    await program.query("delete from incidents");
    for (const name of groups)
      await ownerUser.call("POST", "/tables/groups/records", { values: { name } });
    for (let index = 0; index < CALLERS; index++) {
      const record = `caller-${index}`;
      const name = this.#knowledge.createCanary("boss", { table: "people", record, field: "name" });
      const mail = this.#knowledge.createCanary("boss", {
        table: "people",
        record,
        field: "email",
      });
      const values = { name, email: `${mail}@example.com`, location: this.#random.pick(groups) };
      // the email as a whole is no canary, the word in it is: noted by hand
      this.#knowledge.recordWrite("people", record, { ...values, email: mail });
      await ownerUser.call("POST", "/tables/people/records", { record, values });
    }
    for (let index = 0; index < RECORDS; index++) {
      const record = this.nextId();
      this.markPresent(record);
      const values = {
        ...this.randomValues("boss", record, canaryFields),
        caller: `caller-${index % CALLERS}`,
      };
      this.#knowledge.recordWrite("incidents", record, values);
      await ownerUser.call("POST", "/tables/incidents/records", { record, values });
    }
  }

  /** A caller is called otherwise: what labels incidents changes with it. */
  async rename(): Promise<void> {
    const record = this.anyCaller();
    const name = this.#knowledge.createCanary("boss", { table: "people", record, field: "name" });
    this.#knowledge.recordWrite("people", record, { name });
    const path = `/tables/people/records/${record}?overwrite=true`;
    await this.#installation.ownerUser.call("PATCH", path, { set: { name } });
    this.#knowledge.recordAnswered("people", record);
  }

  /** New canaries of an author, and now and then another group, impact or count. */
  randomValues(author: string, record: string, fields: readonly string[]): Values {
    const values: Values = {};
    for (const field of fields) {
      values[field] = this.#knowledge.createCanary(author, { table: "incidents", record, field });
    }
    if (this.#random.next() < 0.4) values.group = this.#random.pick(groups);
    if (this.#random.next() < 0.3) values.impact = this.#random.pick(impacts);
    if (this.#random.next() < 0.2) values.reassignments = this.#random.below(6);
    return values;
  }

  /** The call was refused: the record did not change. */
  async confirm(record: string): Promise<void> {
    const { values } = await this.#installation.ownerUser.record("incidents", record);
    this.#knowledge.recordWrite("incidents", record, values);
  }
}
