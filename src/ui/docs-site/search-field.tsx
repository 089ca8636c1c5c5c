import { Search } from "lucide-react";
import { docsTexts as texts } from "./texts.ts";

/** The field that searches, and the place of what it finds. Without scripts neither is shown. */
export const SearchField = () => (
  <search className="docs-search docs-scripted">
    <Search aria-hidden="true" className="docs-search-sign" />
    <input
      id="search"
      type="text"
      role="combobox"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      enterKeyHint="go"
      placeholder={texts.searchHint}
      aria-label={texts.search}
      aria-keyshortcuts="/"
      aria-autocomplete="list"
      aria-expanded="false"
      aria-controls="results"
    />
    <div className="docs-results" hidden>
      <p id="count" />
      <div id="results" role="listbox" aria-label={texts.results} />
    </div>
  </search>
);
