import { Field, Input } from "@atrium/plugin-sdk/ui";
import { useEffect, useRef } from "react";
import { texts } from "../texts.ts";

const typingMs = 250;

type SearchFieldProps = { search: string; hint: string; onSearch: (search: string) => void };

/** The search field of a list; it asks once typing pauses, and at once on Enter. */
export const SearchField = ({ search, hint, onSearch }: SearchFieldProps) => {
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const asked = useRef(search);
  useEffect(() => () => clearTimeout(timer.current), []);
  // Back and forward change it from outside; what the field asked for itself leaves what is typed on alone.
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
    <search className="min-w-0">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          ask(input.current?.value ?? "", 0);
        }}
      >
        <Field label={texts.search}>
          <Input
            ref={input}
            type="search"
            inputMode="search"
            autoComplete="off"
            spellCheck={false}
            placeholder={hint}
            defaultValue={search}
            maxLength={200}
            onInput={(event) => ask(event.currentTarget.value, typingMs)}
          />
        </Field>
      </form>
    </search>
  );
};
