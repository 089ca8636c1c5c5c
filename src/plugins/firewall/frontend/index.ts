import manifest from "../plugin.json";
import { FirewallPage } from "./firewall-page.tsx";

/** The firewall's page in the admin area. */
export default { name: manifest.name, version: manifest.version, Page: FirewallPage };
