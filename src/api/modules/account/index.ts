export { confirmPresence, holdPresence } from "./confirm-presence.ts";
