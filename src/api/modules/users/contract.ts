import type { AnswerOf, CommandGroup, InputOf } from "#contract/operation.ts";
import { changing } from "./contract/changing.ts";
import { reading } from "./contract/reading.ts";

/** The word of the commands about accounts. */
export const userGroup: CommandGroup = {
  word: "user",
  summary: "accounts",
  description: "Users of the installation",
};

/** The word of the command that makes an administrator. */
export const adminGroup: CommandGroup = {
  word: "admin",
  summary: "administrators",
  description: "Administrators of the installation",
};

/** What admins can do about accounts, and about registrations that wait for their verification. */
export const usersContract = { ...reading, ...changing };

/** What an account is named by: its id, or its address. */
export type UserHandle = InputOf<typeof usersContract.get>;
export type CreateUserInput = InputOf<typeof usersContract.create>;
export type SetPasswordInput = InputOf<typeof usersContract.setPassword>;
export type ResetFactorInput = InputOf<typeof usersContract.resetSecondFactor>;
export type SetRoleInput = InputOf<typeof usersContract.setRole>;
export type ListUsersInput = InputOf<typeof usersContract.list>;
export type ListPendingInput = InputOf<typeof usersContract.pending>;
/** One page of the users and how many match in all: of a search up to 1,000, and whether there are more. */
export type UserList = AnswerOf<typeof usersContract.list>;
/** A user as the admin area lists them. */
export type ListedUser = UserList["users"][number];
/**
 * Everything that an admin may know of a user. `isLastAdmin`: no other enabled admin can sign in. `sessions` are the last
 * used, at most 100, `sessionCount` counts all.
 */
export type UserDetail = AnswerOf<typeof usersContract.get>;
export type UserFactors = AnswerOf<typeof usersContract.factors>;
/** A user and whether they are shut out. */
export type AccountState = AnswerOf<typeof usersContract.disable>;
/** One page of the addresses that wait for their verification, and how many match in all. */
export type PendingList = AnswerOf<typeof usersContract.pending>;
/** An address whose registrations wait. */
export type PendingUser = PendingList["users"][number];
