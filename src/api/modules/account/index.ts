export { confirmPresence } from "./confirm-presence.ts";
export { accountRoutes } from "./routes.ts";
