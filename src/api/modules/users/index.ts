export { createUser } from "./create-user.ts";
export { countUsers } from "./list-users.ts";
export {
  findUserByEmailKey,
  hasUsers,
  holdAdmins,
  holdEnabledUser,
  insertUser,
  listAdmins,
  removePendingRegistrations,
  removeUser,
  type UserRow,
} from "./store.ts";
