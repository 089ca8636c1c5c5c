export { createUser, mailRole } from "./change-users.ts";
export { countUsers } from "./list-users.ts";
export {
  canSignIn,
  demotedHere,
  findUserByEmailKey,
  hasOtherAdmin,
  hasUsers,
  holdAdmins,
  holdEnabledUser,
  insertUser,
  isOpened,
  isReserved,
  keepsAdmin,
  listAdmins,
  readHandle,
  removePendingRegistrations,
  removeUser,
  type SignInOffer,
  selectTakenKeys,
  selectUsableProviders,
  type UserRow,
  updateRole,
} from "./store.ts";
