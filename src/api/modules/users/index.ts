export { countUsers, type UserCounts } from "./count-users.ts";
export { createUser } from "./create-user.ts";
export { listUsers, type UserList } from "./list-users.ts";
export { userRoutes } from "./routes.ts";
export {
  findUserByEmailKey,
  hasUsers,
  insertUser,
  removePendingRegistrations,
  toUser,
  type UserRow,
} from "./store.ts";
