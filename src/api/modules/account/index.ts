export { confirmPresence, holdPresence } from "./confirm-owner.ts";
