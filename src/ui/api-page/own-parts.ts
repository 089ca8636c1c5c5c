import type { PartProps } from "swagger-ui-dist/swagger-ui-es-bundle.js";

const nothing = () => null;

/** What this page draws in another way than Swagger UI does. */
export const ownParts = {
  components: {
    // The page has a heading of its own, and calls go to one place alone.
    InfoContainer: nothing,
    ServersContainer: nothing,
    // A link within the button that unfolds a call is two controls in one; the address follows the button as well.
    DeepLink: ({ text }: PartProps) => text,
  },
};
