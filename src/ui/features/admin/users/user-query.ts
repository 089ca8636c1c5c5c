import { type Role, roles } from "#contract/users.ts";
import { oneOf, readFilters, writeFilters } from "../list-parts.tsx";

/** The lists of the page: who has an account, whose address waits for its verification, and who was invited. */
const userTabs = ["accounts", "pending", "invitations"] as const;
export type UserTab = (typeof userTabs)[number];

/** Whether a user may sign in. */
export const userStatuses = ["active", "disabled"] as const;
type UserStatus = (typeof userStatuses)[number];

/** What the page shows; `null` stands for any, and `user` is the id of the one whose details are open. */
export type UserQuery = {
  tab: UserTab;
  search: string;
  page: number;
  role: Role | null;
  status: UserStatus | null;
  user: string | null;
};

/** How a section changes what is shown; as a step of its own for Back, or as part of the one before. */
export type ShowUsers = (change: Partial<UserQuery>, how: "step" | "same-step") => void;

/** Reads what is to be shown from the address; what makes no sense counts as not given. */
export const readUserQuery = (params: URLSearchParams): UserQuery => ({
  ...readFilters(params),
  tab: oneOf(userTabs, params.get("tab")) ?? "accounts",
  role: oneOf(roles, params.get("role")),
  status: oneOf(userStatuses, params.get("status")),
  user: params.get("user"),
});

/** The same for the address; what is at its default is left out. */
export const writeUserQuery = ({ tab, role, status, user, ...list }: UserQuery): URLSearchParams => {
  const params = writeFilters(list);
  if (tab !== "accounts") params.set("tab", tab);
  for (const [name, value] of Object.entries({ role, status, user }))
    if (value !== null) params.set(name, value);
  return params;
};
