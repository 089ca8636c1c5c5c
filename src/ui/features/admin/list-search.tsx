import { Search } from "lucide-react";
import { useEffect, useRef } from "react";
import { Field } from "#ui/components/ui/field.tsx";
import { Input } from "#ui/components/ui/input.tsx";
import { listTexts as texts } from "./texts.ts";

const typingMs = 250;

type ListSearchProps = {
  search: string;
  /** What can be looked for; names and addresses unless said. */
  hint?: string;
  /** Of how many characters a search may be. */
  maxLength?: number;
  onSearch: (search: string) => void;
};

/** The search field; it asks once typing pauses, and at once on Enter. */
export const ListSearch = ({
  search,
  hint = texts.searchHint,
  maxLength = 254,
  onSearch,
}: ListSearchProps) => {
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const asked = useRef(search);
  // Back, forward and resets change the filter from outside: the field follows. What it asked for itself leaves it alone,
  // as somebody may have typed on.
  useEffect(() => {
    if (search === asked.current || input.current === null) return;
    clearTimeout(timer.current);
    asked.current = search;
    input.current.value = search;
  }, [search]);
  const ask = (text: string, waitMs: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      asked.current = text.trim();
      onSearch(asked.current);
    }, waitMs);
  };
  return (
    <search className="max-w-sm">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          ask(input.current?.value ?? "", 0);
        }}
      >
        <Field label={texts.search}>
          <div className="relative">
            <Search
              aria-hidden="true"
              className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted-foreground"
            />
            <Input
              ref={input}
              type="search"
              inputMode="search"
              autoComplete="off"
              spellCheck={false}
              placeholder={hint}
              defaultValue={search}
              maxLength={maxLength}
              className="pl-9"
              onInput={(event) => ask(event.currentTarget.value, typingMs)}
            />
          </div>
        </Field>
      </form>
    </search>
  );
};
