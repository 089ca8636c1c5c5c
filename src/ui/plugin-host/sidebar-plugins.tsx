import { Boundary } from "#ui/components/boundary.tsx";
import { NavLink } from "../components/header-parts.tsx";
import { useRegistry } from "./load-frontend.ts";
import { PluginIcon } from "./plugin-icon.tsx";
import { menuItemsOf, useOverlays } from "./registry.ts";

/** The plugins' lines of the sidebar. */
export const SidebarPlugins = ({ itemLook }: { itemLook: string }) =>
  menuItemsOf(useRegistry()).map(({ id, title, path, icon }) => (
    <NavLink key={id} href={path} className={itemLook} hasPlaces>
      <PluginIcon name={icon} className="size-4 shrink-0" />
      <span className="truncate md:collapsed:sr-only">{title}</span>
    </NavLink>
  ));

/** What plugins lay over every page of the admin area. */
export const PluginOverlays = () =>
  [...useOverlays()].map(([plugin, Overlay]) => (
    <Boundary key={plugin}>
      <div data-plugin={plugin}>
        <Overlay />
      </div>
    </Boundary>
  ));
