declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  import type { ReactNode } from "react";

  /** What Swagger UI gives a part of the page; only what is used here. */
  export type PartProps = { text: ReactNode };

  /** What is used of Swagger UI's options; the package comes without types. */
  type SwaggerUiOptions = {
    spec: object;
    domNode: Element;
    deepLinking: boolean;
    docExpansion: "list" | "full" | "none";
    filter: boolean;
    displayRequestDuration: boolean;
    /** Schemas unfolded below the calls; -1 leaves the list out. */
    defaultModelsExpandDepth: number;
    /** An outside service that judges the document; `null` asks no one. */
    validatorUrl: null;
    syntaxHighlight: { activated: boolean };
    plugins: { components: Record<string, (props: PartProps) => ReactNode> }[];
    onComplete: () => void;
  };
  const start: (options: SwaggerUiOptions) => unknown;
  export default start;
}
