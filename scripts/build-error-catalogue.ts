/** Writes the catalogue of failures: `bun scripts/build-error-catalogue.ts`. A test tells when it is due. */
import { errorCatalogue, errorCatalogueFile } from "./docs/error-catalogue.ts";

await Bun.write(errorCatalogueFile, errorCatalogue());
console.log(`Wrote ${errorCatalogueFile}`);
