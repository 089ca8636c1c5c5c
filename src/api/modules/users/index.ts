export { countUsers } from "./count-users.ts";
export { createUser } from "./create-user.ts";
export {
  findUserByEmailKey,
  hasUsers,
  holdAdmins,
  insertUser,
  listAdmins,
  removePendingRegistrations,
  removeUser,
  type UserRow,
} from "./store.ts";
