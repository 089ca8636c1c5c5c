export { confirmPresence, holdPresence } from "./confirm-presence.ts";
export { accountRoutes } from "./routes.ts";
