import type { FreedField } from "./changing-model.ts";
import { editor, narrower, randomGrant, viewer, writeGrant, writeGrants } from "./random-grants.ts";
import {
  accessOf,
  beyond,
  followNames,
  hideFreed,
  type RefGrant,
  type RefRole,
  type RefTable,
  type RefUser,
} from "./reference.ts";
import type { Answer } from "./rights-world.ts";
import type { Player, SequenceContext } from "./sequence.ts";

const ROLES = 4;

/** Calls that change rights: a permitted one must leave nobody with more than its author has. */
export class Administration {
  readonly #context: SequenceContext;
  readonly #own: RefRole[] = [];
  readonly #invited: string[] = [];

  constructor(context: SequenceContext) {
    this.#context = context;
  }

  get #roles(): RefRole[] {
    return [viewer, editor, ...this.#own];
  }

  /** The owner creates roles, and assigns them to the players. */
  async begin(): Promise<void> {
    for (let made = 0; made < ROLES; made++) await this.#ownerMakesRole();
    for (const player of this.#context.players) await this.#ownerPromotes(player);
  }

  /** Removes what the sequence created, so that the next one begins alike. */
  async end(): Promise<void> {
    const { world } = this.#context;
    for (const { actor } of this.#context.players) {
      await world.owner.rest("PATCH", `/users/${actor.id}`, {
        role: "viewer",
        attributes: { team: null },
      });
    }
    for (const id of this.#invited) await world.owner.rest("DELETE", `/users/${id}`);
    for (const { id } of this.#own) await world.owner.rest("DELETE", `/roles/${id}`);
  }

  /** After a change of the model: grants follow names, also where a removed table is restored, and values that were computed. */
  follow(freed: readonly FreedField[]): void {
    for (const { grants } of this.#own) {
      for (const grant of grants.values()) followNames(grant);
      for (const one of freed) {
        const grant = grants.get(one.table);
        if (grant) hideFreed(grant, one.field, one.inputs);
      }
    }
  }

  async ownerChanges(): Promise<string> {
    const { random, players } = this.#context;
    if (random.next() < 0.5) return this.#ownerPromotes(random.pick(players));
    const role = random.pick(this.#own);
    const table = random.pick(this.#context.model.tables);
    const grant = randomGrant(random, table);
    const call = { grants: { [table.name]: writeGrant(grant, current, true) } };
    const answer = await this.#context.world.owner.rest("PATCH", `/roles/${role.id}`, call);
    if (!answer.ok) this.#context.fail(`the owner's change of a role was refused: ${answer.text}`);
    role.grants.set(table, grant);
    return `the owner changes ${role.id}: ${JSON.stringify(call)}`;
  }

  async makeRole(player: Player): Promise<string> {
    const role = { ...this.#randomRole(player), id: "" };
    const call = {
      name: this.#context.mark(),
      rights: role.rights,
      grants: writeGrants(role, this.#names),
    };
    const answer = await player.actor.rest("POST", "/roles", call);
    const description = `${player.actor.id} makes the role ${JSON.stringify(call)}: ${answer.status}`;
    if (this.#count("makes-role", answer)) {
      role.id = String(answer.body.id);
      this.#verifyRole(player, description, role);
      this.#own.push(role);
    }
    return description;
  }

  async changeRole(player: Player): Promise<string> {
    const { random } = this.#context;
    const role = random.pick(this.#own);
    const table = random.pick(this.#context.model.tables);
    const grant = random.next() < 0.2 ? null : this.#wanted(player, table);
    const call = {
      grants: { [this.#names(table)]: grant && writeGrant(grant, this.#names, true) },
    };
    const answer = await player.actor.rest("PATCH", `/roles/${role.id}`, call);
    const description = `${player.actor.id} changes ${role.id} on ${table.name}: ${JSON.stringify(call)}: ${answer.status}`;
    if (!this.#count("changes-role", answer)) return description;
    const grants = new Map(role.grants);
    if (grant) grants.set(table, grant);
    else grants.delete(table);
    this.#verifyRole(player, description, { ...role, grants });
    role.grants = grants;
    return description;
  }

  async changeUser(player: Player): Promise<string> {
    const { random, players } = this.#context;
    const other = random.pick(players);
    const role = random.next() < 0.6 ? random.pick(this.#roles) : undefined;
    const team = random.next() < 0.5 ? random.pick(["a", "b", null]) : undefined;
    const call = {
      ...(role && { role: role.id }),
      ...(team !== undefined && { attributes: { team } }),
    };
    const answer = await player.actor.rest("PATCH", `/users/${other.actor.id}`, call);
    const description = `${player.actor.id} changes ${other.actor.id}: ${JSON.stringify(call)}: ${answer.status}`;
    if (!this.#count("changes-user", answer) || Object.keys(call).length === 0) return description;
    const after = {
      ...other.user,
      role: role ?? other.user.role,
      team: team === undefined ? other.user.team : team,
    };
    this.#verifyUser(player, description, other.user);
    this.#verifyUser(player, description, after);
    other.user = after;
    return description;
  }

  async inviteUser(player: Player): Promise<string> {
    const { random } = this.#context;
    const role = random.pick(this.#roles);
    const team = random.pick(["a", "b", null]);
    const email = `${this.#context.mark()}@example.com`;
    const call = { email, name: "Invited", role: role.id, attributes: { team } };
    const answer = await player.actor.rest("POST", "/users", call);
    const description = `${player.actor.id} invites somebody: ${JSON.stringify(call)}: ${answer.status}`;
    if (this.#count("invites", answer)) {
      const id = String((answer.body.user as { id?: string } | undefined)?.id ?? answer.body.id);
      this.#invited.push(id);
      this.#verifyUser(player, description, { id, role, team });
    }
    return description;
  }

  async resetPassword(player: Player): Promise<string> {
    const other = this.#context.random.pick(this.#context.players);
    const answer = await player.actor.rest("POST", `/users/${other.actor.id}/password-reset`);
    const description = `${player.actor.id} resets ${other.actor.id}: ${answer.status}`;
    if (this.#count("resets", answer)) this.#verifyUser(player, description, other.user);
    return description;
  }

  async #ownerMakesRole(): Promise<void> {
    const { random, world } = this.#context;
    const role: RefRole = {
      id: "",
      rights: ["users", "roles"].filter(() => random.next() < 0.5),
      grants: new Map(
        this.#context.model.tables
          .filter(() => random.next() < 0.7)
          .map((table) => [table, randomGrant(random, table)]),
      ),
      others: random.next() < 0.6 ? randomGrant(random, null) : null,
    };
    const call = {
      name: this.#context.mark(),
      rights: role.rights,
      grants: writeGrants(role, current),
    };
    const answer = await world.owner.rest("POST", "/roles", call);
    if (!answer.ok) this.#context.fail(`the owner's role was refused: ${answer.text}`);
    role.id = String(answer.body.id);
    this.#own.push(role);
  }

  async #ownerPromotes(player: Player): Promise<string> {
    const { random, world } = this.#context;
    const role = random.pick(this.#own);
    const team = random.pick(["a", "b", null]);
    const call = { role: role.id, attributes: { team } };
    const answer = await world.owner.rest("PATCH", `/users/${player.actor.id}`, call);
    if (!answer.ok) this.#context.fail(`the owner's promotion was refused: ${answer.text}`);
    player.user = { ...player.user, role, team };
    return `the owner gives ${player.actor.id} ${JSON.stringify(call)}`;
  }

  /** What an author would like to grant: what they have and less, or anything at all. */
  #wanted({ user }: Player, table: RefTable): RefGrant {
    const { random } = this.#context;
    const own = user.role.grants.get(table) ?? user.role.others;
    return own && random.next() < 0.5 ? narrower(random, own) : randomGrant(random, table);
  }

  #randomRole(player: Player): Omit<RefRole, "id"> {
    const { random, model } = this.#context;
    const tables = model.tables.filter(() => random.next() < 0.6);
    const { others } = player.user.role;
    return {
      rights: player.user.role.rights.filter(() => random.next() < 0.5),
      grants: new Map(tables.map((table) => [table, this.#wanted(player, table)])),
      others: others && random.next() < 0.3 ? narrower(random, others) : null,
    };
  }

  readonly #names = (thing: { name: string; former: string[] }): string => {
    const { random } = this.#context;
    return random.next() < 0.6 ? thing.name : random.pick([thing.name, ...thing.former]);
  };

  #count(kind: string, { ok }: Answer): boolean {
    const counts = ok ? this.#context.tally.permitted : this.#context.tally.refused;
    counts[kind] = (counts[kind] ?? 0) + 1;
    return ok;
  }

  get #tables(): RefTable[] {
    const { tables, removed } = this.#context.model;
    return [...tables, ...removed];
  }

  get #users(): string[] {
    return [...this.#context.players.map(({ actor }) => actor.id), ...this.#invited];
  }

  /** For any possible user, a role opens nothing that its author's role would not open to them. */
  #verifyRole({ user }: Player, description: string, role: RefRole): void {
    for (const id of [user.id, "another"]) {
      for (const team of ["a", "b", null]) {
        const as = (held: RefRole): RefUser => ({ id, role: held, team });
        const users = [user.id, "another"];
        const theirs = accessOf(as(role), this.#tables, users);
        const more = beyond(theirs, accessOf(as(user.role), this.#tables, users));
        if (more.length > 0)
          this.#context.fail(`${description}: grants ${more.slice(0, 6).join("; ")}`);
      }
    }
  }

  #verifyUser({ user }: Player, description: string, other: RefUser): void {
    const users = [...new Set([...this.#users, other.id])];
    const tables = this.#tables;
    const more = beyond(accessOf(other, tables, users), accessOf(user, tables, users));
    if (more.length > 0)
      this.#context.fail(`${description}: reaches ${more.slice(0, 6).join("; ")}`);
  }
}

const current = ({ name }: { name: string }) => name;
