export { takeInvitation } from "./store.ts";
