import type { User } from "#contract/users.ts";
import type { Actor } from "./context.ts";

/** Whether somebody acts with the rights of an admin from afar: by a session, or by a token that an admin made. */
export const isAdmin = (actor: Actor): boolean =>
  actor.kind === "token" || (actor.kind === "user" && actor.user.role === "admin");

/** How who acts is named in what is stored. */
export const nameOfActor = (actor: Actor): string => {
  if (actor.kind === "user") return actor.user.email;
  if (actor.kind !== "token") return actor.kind;
  return `${actor.owner?.email ?? "operator"} (token ${actor.token.name})`;
};

/** One text for each one who acts, to count by. */
export const idOfActor = (actor: Actor): string => {
  if (actor.kind === "user") return actor.user.id;
  return actor.kind === "token" ? actor.token.id : actor.kind;
};

/** The person in whose name somebody acts: a token does in its owner's. `null`: nobody's. */
export const personBehind = (actor: Actor): User | null => {
  if (actor.kind === "user") return actor.user;
  return actor.kind === "token" ? actor.owner : null;
};
