export { secretRoutes } from "./routes.ts";
