import { editor, narrower, randomGrant, viewer, writeGrant, writeGrants } from "./random-grants.ts";
import {
  accessOf,
  beyond,
  followNames,
  type RefGrant,
  type RefRole,
  type RefTable,
  type RefUser,
} from "./reference.ts";
import type { Answer } from "./rights-world.ts";
import type { Player, Scene } from "./sequence.ts";

const ROLES = 4;

/** Calls that change who may what: whatever is permitted must leave nobody with more than its author has. */
export class Administration {
  readonly #scene: Scene;
  readonly #own: RefRole[] = [];
  readonly #invited: string[] = [];

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  get #roles(): RefRole[] {
    return [viewer, editor, ...this.#own];
  }

  /** The owner makes roles, and gives them to the players. */
  async begin(): Promise<void> {
    for (let made = 0; made < ROLES; made++) await this.#ownerMakesRole();
    for (const player of this.#scene.players) await this.#ownerPromotes(player);
  }

  /** What the sequence made goes, so that the next one begins alike. */
  async end(): Promise<void> {
    const { world } = this.#scene;
    for (const { actor } of this.#scene.players) {
      await world.owner.rest("PATCH", `/users/${actor.id}`, {
        role: "viewer",
        attributes: { team: null },
      });
    }
    for (const id of this.#invited) await world.owner.rest("DELETE", `/users/${id}`);
    for (const { id } of this.#own) await world.owner.rest("DELETE", `/roles/${id}`);
  }

  /** After a change of the model: grants on tables that are gone mean nothing, others follow names. */
  follow(): void {
    const { tables } = this.#scene.model;
    for (const { grants } of this.#own) {
      for (const [table, grant] of grants) {
        if (!tables.includes(table)) grants.delete(table);
        followNames(grant);
      }
    }
  }

  async ownerChanges(): Promise<string> {
    const { dice, players } = this.#scene;
    if (dice.next() < 0.5) return this.#ownerPromotes(dice.pick(players));
    const role = dice.pick(this.#own);
    const table = dice.pick(this.#scene.model.tables);
    const grant = randomGrant(dice, table);
    const call = { grants: { [table.name]: writeGrant(grant, current, true) } };
    const answer = await this.#scene.world.owner.rest("PATCH", `/roles/${role.id}`, call);
    if (!answer.ok) this.#scene.fail(`the owner's change of a role was refused: ${answer.text}`);
    role.grants.set(table, grant);
    return `the owner changes ${role.id}: ${JSON.stringify(call)}`;
  }

  async makeRole(player: Player): Promise<string> {
    const role = { ...this.#randomRole(player), id: "" };
    const call = {
      name: this.#scene.mark(),
      rights: role.rights,
      grants: writeGrants(role, this.#names),
    };
    const answer = await player.actor.rest("POST", "/roles", call);
    const said = `${player.actor.id} makes the role ${JSON.stringify(call)}: ${answer.status}`;
    if (this.#count("makes-role", answer)) {
      role.id = String(answer.body.id);
      this.#judgeRole(player, said, role);
      this.#own.push(role);
    }
    return said;
  }

  async changeRole(player: Player): Promise<string> {
    const { dice } = this.#scene;
    const role = dice.pick(this.#own);
    const table = dice.pick(this.#scene.model.tables);
    const grant = dice.next() < 0.2 ? null : this.#wanted(player, table);
    const call = {
      grants: { [this.#names(table)]: grant && writeGrant(grant, this.#names, true) },
    };
    const answer = await player.actor.rest("PATCH", `/roles/${role.id}`, call);
    const said = `${player.actor.id} changes ${role.id} on ${table.name}: ${JSON.stringify(call)}: ${answer.status}`;
    if (!this.#count("changes-role", answer)) return said;
    const grants = new Map(role.grants);
    if (grant) grants.set(table, grant);
    else grants.delete(table);
    this.#judgeRole(player, said, { ...role, grants });
    role.grants = grants;
    return said;
  }

  async changeUser(player: Player): Promise<string> {
    const { dice, players } = this.#scene;
    const other = dice.pick(players);
    const role = dice.next() < 0.6 ? dice.pick(this.#roles) : undefined;
    const team = dice.next() < 0.5 ? dice.pick(["a", "b", null]) : undefined;
    const call = {
      ...(role && { role: role.id }),
      ...(team !== undefined && { attributes: { team } }),
    };
    const answer = await player.actor.rest("PATCH", `/users/${other.actor.id}`, call);
    const said = `${player.actor.id} changes ${other.actor.id}: ${JSON.stringify(call)}: ${answer.status}`;
    if (!this.#count("changes-user", answer) || Object.keys(call).length === 0) return said;
    const after = {
      ...other.user,
      role: role ?? other.user.role,
      team: team === undefined ? other.user.team : team,
    };
    this.#judgeUser(player, said, other.user);
    this.#judgeUser(player, said, after);
    other.user = after;
    return said;
  }

  async inviteUser(player: Player): Promise<string> {
    const { dice } = this.#scene;
    const role = dice.pick(this.#roles);
    const team = dice.pick(["a", "b", null]);
    const email = `${this.#scene.mark()}@example.com`;
    const call = { email, name: "Invited", role: role.id, attributes: { team } };
    const answer = await player.actor.rest("POST", "/users", call);
    const said = `${player.actor.id} invites somebody: ${JSON.stringify(call)}: ${answer.status}`;
    if (this.#count("invites", answer)) {
      const id = String((answer.body.user as { id?: string } | undefined)?.id ?? answer.body.id);
      this.#invited.push(id);
      this.#judgeUser(player, said, { id, role, team });
    }
    return said;
  }

  async resetPassword(player: Player): Promise<string> {
    const other = this.#scene.dice.pick(this.#scene.players);
    const answer = await player.actor.rest("POST", `/users/${other.actor.id}/password-reset`);
    const said = `${player.actor.id} resets ${other.actor.id}: ${answer.status}`;
    if (this.#count("resets", answer)) this.#judgeUser(player, said, other.user);
    return said;
  }

  async #ownerMakesRole(): Promise<void> {
    const { dice, world } = this.#scene;
    const role: RefRole = {
      id: "",
      rights: ["users", "roles"].filter(() => dice.next() < 0.5),
      grants: new Map(
        this.#scene.model.tables
          .filter(() => dice.next() < 0.7)
          .map((table) => [table, randomGrant(dice, table)]),
      ),
      others: dice.next() < 0.6 ? randomGrant(dice, null) : null,
    };
    const call = {
      name: this.#scene.mark(),
      rights: role.rights,
      grants: writeGrants(role, current),
    };
    const answer = await world.owner.rest("POST", "/roles", call);
    if (!answer.ok) this.#scene.fail(`the owner's role was refused: ${answer.text}`);
    role.id = String(answer.body.id);
    this.#own.push(role);
  }

  async #ownerPromotes(player: Player): Promise<string> {
    const { dice, world } = this.#scene;
    const role = dice.pick(this.#own);
    const team = dice.pick(["a", "b", null]);
    const call = { role: role.id, attributes: { team } };
    const answer = await world.owner.rest("PATCH", `/users/${player.actor.id}`, call);
    if (!answer.ok) this.#scene.fail(`the owner's promotion was refused: ${answer.text}`);
    player.user = { ...player.user, role, team };
    return `the owner gives ${player.actor.id} ${JSON.stringify(call)}`;
  }

  /** What an author would like to grant: what they have and less, or anything at all. */
  #wanted({ user }: Player, table: RefTable): RefGrant {
    const { dice } = this.#scene;
    const own = user.role.grants.get(table) ?? user.role.others;
    return own && dice.next() < 0.5 ? narrower(dice, own) : randomGrant(dice, table);
  }

  #randomRole(player: Player): Omit<RefRole, "id"> {
    const { dice, model } = this.#scene;
    const tables = model.tables.filter(() => dice.next() < 0.6);
    const { others } = player.user.role;
    return {
      rights: player.user.role.rights.filter(() => dice.next() < 0.5),
      grants: new Map(tables.map((table) => [table, this.#wanted(player, table)])),
      others: others && dice.next() < 0.3 ? narrower(dice, others) : null,
    };
  }

  readonly #names = (thing: { name: string; former: string[] }): string => {
    const { dice } = this.#scene;
    return dice.next() < 0.6 ? thing.name : dice.pick([thing.name, ...thing.former]);
  };

  #count(kind: string, { ok }: Answer): boolean {
    const counts = ok ? this.#scene.tally.permitted : this.#scene.tally.refused;
    counts[kind] = (counts[kind] ?? 0) + 1;
    return ok;
  }

  get #users(): string[] {
    return [...this.#scene.players.map(({ actor }) => actor.id), ...this.#invited];
  }

  /** For whoever might have it, a role opens nothing that its author's role would not open to them. */
  #judgeRole({ user }: Player, said: string, role: RefRole): void {
    const { model } = this.#scene;
    for (const id of [user.id, "another"]) {
      for (const team of ["a", "b", null]) {
        const as = (held: RefRole): RefUser => ({ id, role: held, team });
        const users = [user.id, "another"];
        const theirs = accessOf(as(role), model.tables, users);
        const more = beyond(theirs, accessOf(as(user.role), model.tables, users));
        if (more.length > 0) this.#scene.fail(`${said}: grants ${more.slice(0, 6).join("; ")}`);
      }
    }
  }

  #judgeUser({ user }: Player, said: string, other: RefUser): void {
    const { tables } = this.#scene.model;
    const users = [...new Set([...this.#users, other.id])];
    const more = beyond(accessOf(other, tables, users), accessOf(user, tables, users));
    if (more.length > 0) this.#scene.fail(`${said}: reaches ${more.slice(0, 6).join("; ")}`);
  }
}

const current = ({ name }: { name: string }) => name;
