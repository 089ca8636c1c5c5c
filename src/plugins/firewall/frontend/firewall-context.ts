import { createContext, useContext } from "react";
import type { WindowApi } from "#plugins/sdk/frontend-types.ts";
import type { ConfigData } from "../backend/wire.ts";
import type { Calls } from "./calls.ts";

/** What the sub-pages share. */
export type Firewall = {
  api: WindowApi;
  calls: Calls;
  config: ConfigData;
  /** Asks for the configuration anew, as after each write: a change may be pending, and the revision is another one. */
  refresh: () => Promise<ConfigData>;
};

/** Filled by the page around all sub-pages. */
export const FirewallContext = createContext<Firewall | null>(null);

/** The firewall as it is known. Throws outside its page. */
export const useFirewall = (): Firewall => {
  const firewall = useContext(FirewallContext);
  if (firewall === null) throw new Error("there is no firewall page around this part");
  return firewall;
};
