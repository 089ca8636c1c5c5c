import { offerCopies } from "./copy-code.ts";
import { markPlace } from "./mark-place.ts";
import { serveSearch } from "./search/serve-search.ts";
import { serveLists } from "./serve-lists.ts";

/* The script of the documentation: search, copying, and where the reader is. Reading needs none of it. */

serveSearch();
offerCopies();
markPlace();
serveLists();
// As every page of the product says once it answers to its reader.
document.dispatchEvent(new Event("atrium:ready"));
